#include "opkit/soc/device_memory.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(DeviceMemory, IsThatOfTheChipsFile) {
  EXPECT_TRUE(has_hbm(*find_soc("Ascend910B1").value().spec));
  EXPECT_TRUE(has_hbm(*find_soc("Ascend910A").value().spec));
  EXPECT_FALSE(has_hbm(*find_soc("Ascend310P3").value().spec));
  EXPECT_FALSE(has_hbm(*find_soc("Ascend310B1").value().spec));
}

TEST(DeviceMemory, OfAnotherKindIsRefused) {
  std::string text(soc_text("Ascend910B1"));
  text.replace(text.find("kind: hbm"), 9, "kind: ram");
  const auto spec = parse_soc(text, "ram.yaml");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().code, "OPK-SOC-001");
}

}  // namespace
}  // namespace opkit
