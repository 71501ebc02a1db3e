// Options of compiling single operators: what installed ops do anyway is taken, the rest refused.
#include <gmock/gmock.h>

#include "acl/acl_op_compiler.h"
#include "opkit/acl/ops/compile_options.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CompileOptions : public ::testing::Test {
 protected:
  void TearDown() override { compile_options().clear(); }
};

TEST_F(CompileOptions, AreGivenBack) {
  char value[32] = "?";
  EXPECT_EQ(aclGetCompileoptSize(ACL_PRECISION_MODE), 1u);
  EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE, value, sizeof value), ACL_SUCCESS);
  EXPECT_STREQ(value, "") << "none was set";
  ASSERT_EQ(aclSetCompileopt(ACL_PRECISION_MODE, "must_keep_origin_dtype"), ACL_SUCCESS);
  EXPECT_EQ(aclGetCompileoptSize(ACL_PRECISION_MODE), 23u);
  EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE, value, 22), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("has 23 bytes, there is room for 22"));
  EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE, nullptr, 23), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE, value, 23), ACL_SUCCESS);
  EXPECT_STREQ(value, "must_keep_origin_dtype");
}

TEST_F(CompileOptions, AreTakenWhereOpsDoWhatTheyAskFor) {
  for (const auto& [option, value] : {std::pair(ACL_OP_JIT_COMPILE, "disable"),
                                      {ACL_OP_DETERMINISTIC, "1"},
                                      {ACL_OP_DETERMINISTIC, "0"},
                                      {ACL_ALLOW_HF32, "10"},
                                      {ACL_PRECISION_MODE_V2, "origin"}})
    EXPECT_EQ(aclSetCompileopt(option, value), ACL_SUCCESS) << value << ": " << said();
}

TEST_F(CompileOptions, AreRefusedWhereTheyAskForAnythingElse) {
  EXPECT_EQ(aclSetCompileopt(ACL_PRECISION_MODE, "force_fp16"), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_THAT(said(), AllOf(HasSubstr("ACL_PRECISION_MODE 'force_fp16'"),
                            HasSubstr("in the types of its tensors"),
                            HasSubstr("known names: must_keep_origin_dtype")));
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, "enable"), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(aclSetCompileopt(ACL_OP_DEBUG_OPTION, "oom"), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("OPKIT_MODE=checked watches kernels; leave the option out"));
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetCompileopt(static_cast<aclCompileOpt>(17), "1"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCompileoptSize(static_cast<aclCompileOpt>(17)), 0u);
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), 1u) << "nothing was kept";
}

}  // namespace
}  // namespace opkit::acl
