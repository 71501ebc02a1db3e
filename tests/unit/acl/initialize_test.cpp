// The beginning and the end of programs that use aclnn calls alone, and the interface's version.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "aclnn/aclnn_base.h"
#include "tests/unit/acl/schedulers.h"
#include "tests/unit/registry/packages.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

TEST(Initialize, AclnnBeginsAndEndsBesideAcl) {
  ASSERT_EQ(aclnnInit(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclnnInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_THAT(said(), HasSubstr("call it once"));
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS) << "in either order";
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
  testing::internal::GetCapturedStderr();
}

TEST(Initialize, TheEndOfAclnnAloneNamesWhatIsLeft) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclnnInit(nullptr), ACLNN_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("stream(s) never destroyed"));
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclnnInit(nullptr), ACLNN_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "aclFinalize does";
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();
  aclrtResetDevice(0);
}

TEST(Initialize, TheDebugKernelIsTheModeThatWatches) {
  const registry::TemporaryFolder folder;
  const std::string file = (folder.path() / "acl.json").string();
  const auto begin = [&](const char* word) {
    std::ofstream(file) << R"({"op_debug_config": {"enable_debug_kernel": ")" << word << "\"}}";
    return aclnnInit(file.c_str());
  };
  EXPECT_EQ(begin("on"), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("start the program with OPKIT_MODE=checked"));
  EXPECT_EQ(begin("perhaps"), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("write on or off"));
  EXPECT_EQ(aclnnInit((file + ".gone").c_str()), ACLNN_ERR_PARAM_INVALID);
  ASSERT_EQ(begin("off"), ACLNN_SUCCESS);
  ASSERT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
  ::setenv("OPKIT_MODE", "checked", 1);
  EXPECT_EQ(begin("on"), ACLNN_SUCCESS);
  ::unsetenv("OPKIT_MODE");
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
}

TEST(Initialize, TheInterfaceHasAVersion) {
  int32_t major = 0, minor = 0, patch = -1;
  ASSERT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(minor, ACL_MINOR_VERSION);
  EXPECT_EQ(patch, ACL_PATCH_VERSION);
  EXPECT_EQ(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace opkit::acl
