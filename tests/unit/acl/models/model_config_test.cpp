// Options of loading a model; tests/e2e/programs/model_main.cpp loads with them.
#include "opkit/acl/models/model_config.h"

#include <gmock/gmock.h>

#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

class ModelConfig : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    config_ = aclmdlCreateConfigHandle();
    ASSERT_NE(config_, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(aclmdlDestroyConfigHandle(config_), ACL_SUCCESS);
    aclrtResetDevice(0);
  }
  template <typename T>
  aclError set(aclmdlConfigAttr option, T value) {
    return aclmdlSetConfigOpt(config_, option, &value, sizeof value);
  }
  void expect_load(aclError code, const char* words) {
    uint32_t id = 0;
    EXPECT_EQ(aclmdlLoadWithConfig(config_, &id), code);
    EXPECT_THAT(said(), HasSubstr(words));
  }

  aclmdlConfigHandle* config_ = nullptr;
};

TEST_F(ModelConfig, SaysWhichOptionIsMissing) {
  expect_load(ACL_ERROR_INVALID_PARAM, "ACL_MDL_LOAD_TYPE_SIZET was not set");
  ASSERT_EQ(set(ACL_MDL_LOAD_TYPE_SIZET, size_t{ACL_MDL_LOAD_FROM_FILE}), ACL_SUCCESS);
  expect_load(ACL_ERROR_INVALID_PARAM, "ACL_MDL_PATH_PTR was not set");
  {
    std::string path = "/nowhere/net.om";
    ASSERT_EQ(set(ACL_MDL_PATH_PTR, path.c_str()), ACL_SUCCESS);
    path.assign(path.size(), '?');
  }
  expect_load(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, "/nowhere/net.om");  // the path was copied
  ASSERT_EQ(set(ACL_MDL_LOAD_TYPE_SIZET, size_t{ACL_MDL_LOAD_FROM_MEM}), ACL_SUCCESS);
  expect_load(ACL_ERROR_INVALID_PARAM, "ACL_MDL_MEM_ADDR_PTR was not set");
  const char bytes[] = "no model";
  ASSERT_EQ(set<const void*>(ACL_MDL_MEM_ADDR_PTR, bytes), ACL_SUCCESS);
  expect_load(ACL_ERROR_INVALID_PARAM, "ACL_MDL_MEM_SIZET was not set");
  ASSERT_EQ(set(ACL_MDL_MEM_SIZET, sizeof bytes), ACL_SUCCESS);
  expect_load(ACL_ERROR_DESERIALIZE_MODEL, "OPK-OM-001");
  ASSERT_EQ(set<void*>(ACL_MDL_WORKSPACE_ADDR_PTR, this), ACL_SUCCESS);
  expect_load(ACL_ERROR_INVALID_PARAM, "choose ACL_MDL_LOAD_FROM_MEM_WITH_MEM");
}

TEST_F(ModelConfig, TakesNoValueThatIsNoneOfTheOptions) {
  const size_t number = 1;
  EXPECT_EQ(aclmdlSetConfigOpt(config_, ACL_MDL_MEM_SIZET, &number, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("option 4 of loading a model has 8 bytes, not 4"));
  EXPECT_EQ(aclmdlSetConfigOpt(config_, ACL_MDL_MEM_SIZET, nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetConfigOpt(nullptr, ACL_MDL_MEM_SIZET, &number, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_MDL_PRIORITY_INT32, int32_t{7}), ACL_SUCCESS);
  EXPECT_EQ(set(ACL_MDL_PRIORITY_INT32, int32_t{8}), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_MDL_LOAD_TYPE_SIZET, size_t{9}), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set<const char*>(ACL_MDL_PATH_PTR, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ModelConfig, RefusesWhatCannotBeDone) {
  EXPECT_EQ(set(ACL_MDL_LOAD_TYPE_SIZET, size_t{ACL_MDL_LOAD_FROM_FILE_WITH_Q}),
            ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("cannot be loaded with queues"));
  EXPECT_EQ(set(ACL_MDL_INPUTQ_NUM_SIZET, size_t{1}), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(set<const char*>(ACL_MDL_WEIGHT_PATH_PTR, "w"), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(set(ACL_MDL_WORKSPACE_MEM_OPTIMIZE, size_t{1}), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(set(ACL_MDL_WORKSPACE_MEM_OPTIMIZE, size_t{0}), ACL_SUCCESS);
  EXPECT_EQ(set(static_cast<aclmdlConfigAttr>(15), size_t{0}), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("options 0 to 8"));
}

}  // namespace
}  // namespace opkit::acl
