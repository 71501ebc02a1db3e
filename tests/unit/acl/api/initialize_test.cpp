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

// Pages "aclInit", "aclFinalize" and "aclFinalizeReference".
TEST(Initialize, EveryAclInitCounts) {
  uint64_t left = 7;
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 1);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_ERROR_UNINITIALIZE);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS) << "of both";
  EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE);
  testing::internal::GetCapturedStderr();
}

// Pages "aclInit" and "aclError".
TEST(Initialize, AFileThatCannotBeUsedIsRefused) {
  const registry::TemporaryFolder folder;
  const std::string file = (folder.path() / "acl.json").string();
  EXPECT_EQ(aclInit(file.c_str()), ACL_ERROR_INVALID_FILE);
  EXPECT_THAT(said(), testing::AllOf(HasSubstr(file), HasSubstr("nullptr for none")));
  EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE) << "it does not count";
  EXPECT_EQ(aclInit(folder.path().c_str()), ACL_ERROR_INVALID_FILE) << "a folder";
  for (const char* text : {"", "{\"dump\": ", "[1]", "3"}) {
    std::ofstream(file) << text;
    EXPECT_EQ(aclInit(file.c_str()), ACL_ERROR_PARSE_FILE) << text;
    EXPECT_THAT(said(), HasSubstr(file)) << text;
  }
  std::ofstream(file) << "{}";
  for (const std::string& path : {file, std::string()}) {
    EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS) << "samples name no file by \"\"";
    testing::internal::CaptureStderr();
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    testing::internal::GetCapturedStderr();
  }
}

aclError note(const char* config, size_t length, void* data) {
  *static_cast<std::string*>(data) += "begins with " + std::string(config, length) + "; ";
  return ACL_SUCCESS;
}

aclError note_end(void* data) {
  *static_cast<std::string*>(data) += "ends; ";
  return ACL_ERROR_FAILURE;
}

// Pages "aclInitCallbackRegister", "aclFinalizeCallbackRegister" and their neighbours.
TEST(Initialize, CallsWhatTheProgramRegistered) {
  const registry::TemporaryFolder folder;
  const std::string file = (folder.path() / "acl.json").string();
  std::ofstream(file) << "{}";
  std::string notes, late;
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note, &notes), ACL_SUCCESS);
  ASSERT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_end, &notes), ACL_SUCCESS);
  EXPECT_EQ(notes, "");
  ASSERT_EQ(aclInit(file.c_str()), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(notes, "begins with {}; ");
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &late), ACL_SUCCESS);
  EXPECT_EQ(late, "begins with {}; ") << "at once";
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("gave 500001"));
  EXPECT_EQ(notes, "begins with {}; ends; ");
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, &notes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, note), ACL_SUCCESS);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, note_end), ACL_SUCCESS);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(notes, "begins with {}; ends; ") << "nobody is registered";
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
