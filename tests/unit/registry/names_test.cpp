#include <gtest/gtest.h>

#include "registry/manifest.h"
#include "registry/package.h"

namespace opkit::registry {
namespace {

TEST(Names, SnakeNamesFollowTheVendorsRule) {
  EXPECT_EQ(snake_name("AddRelu"), "add_relu");
  EXPECT_EQ(snake_name("Conv2DCustom"), "conv2_d_custom");
  EXPECT_EQ(snake_name("GRUCell"), "gru_cell");
  EXPECT_EQ(snake_name("TopK"), "top_k");
  EXPECT_EQ(snake_name("GatherV2"), "gather_v2");
}

TEST(Names, OnlyNamesThatAreSafeAsDirectoriesPass) {
  for (const char* name : {"acme", "A-1", "my_vendor", "built-in"})
    EXPECT_TRUE(is_vendor_name(name));
  for (const char* name : {"", "..", ".x", "a/b", "a b", "-a", "a=b", "a,b"}) {
    EXPECT_FALSE(is_vendor_name(name)) << name;
  }
  for (const char* name : {"AddRelu", "A", "Conv2D"}) EXPECT_TRUE(is_op_type(name));
  for (const char* name : {"", "addRelu", "Add_Relu", "../X", "A/B"}) {
    EXPECT_FALSE(is_op_type(name)) << name;
  }
  EXPECT_FALSE(is_op_type(std::string(1000, 'A')));
}

TEST(SocNames, FamiliesFollowTheVendorsTable) {
  EXPECT_EQ(soc_family("Ascend910B1"), "Ascend910B");
  EXPECT_EQ(soc_family("Ascend910B4-1"), "Ascend910B");
  EXPECT_EQ(soc_family("Ascend910A"), "Ascend910");
  EXPECT_EQ(soc_family("Ascend910ProB"), "Ascend910");
  EXPECT_EQ(soc_family("Ascend910_9391"), "Ascend910_93");
  EXPECT_EQ(soc_family("Ascend310P3"), "Ascend310P");
  EXPECT_EQ(soc_family("ascend310b4"), "Ascend310B");
  EXPECT_EQ(soc_family("Other1"), "Other1");
}

TEST(SocNames, AListedFamilyServesItsMembersAndAFamilyIsServedByAnyMember) {
  Manifest manifest;
  manifest.op = "AddRelu";
  manifest.version = "1.0.0";
  manifest.socs = {"Ascend910B", "Ascend310B4"};
  for (const char* soc :
       {"Ascend910B1", "Ascend910B", "ascend910b3", "Ascend310B4", "Ascend310B"}) {
    EXPECT_TRUE(check_soc(manifest, soc).ok()) << soc;
  }
  for (const char* soc : {"Ascend910A", "Ascend310B1", "Ascend310P3", "Ascend910", ""}) {
    const Status status = check_soc(manifest, soc);
    ASSERT_FALSE(status.ok()) << soc;
    EXPECT_EQ(status.error().code, "OPK-FIT-008");
    EXPECT_NE(status.error().message.find("supports Ascend910B, Ascend310B4, not"),
              std::string::npos);
  }
  manifest.socs.clear();
  EXPECT_TRUE(check_soc(manifest, "Ascend910A").ok());
}

}  // namespace
}  // namespace opkit::registry
