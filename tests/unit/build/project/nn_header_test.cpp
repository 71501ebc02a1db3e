#include "opkit/build/project/nn_header.h"

#include <gmock/gmock.h>

namespace opkit::project {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

OpContract contract(const std::string& inputs, const std::string& outputs,
                    const std::string& attrs) {
  auto parsed = OpContract::parse("op: SomeOp\nversion: \"1.0.0\"\ndoc: d\ninputs:\n" + inputs +
                                      "outputs:\n" + outputs + "types: {T: [float16, float32]}\n" +
                                      attrs + "reference: {none: \"a test\"}\n",
                                  "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return parsed.ok() ? *parsed : OpContract();
}

constexpr const char* kX = "  x: {dtype: T, shape: \"S..\"}\n";
constexpr const char* kZ = "  z: {dtype: T, shape: \"S..\"}\n";

std::string text_of(const OpContract& of) {
  const auto header = nn_header(of);
  EXPECT_TRUE(header.ok()) << header.error().to_string();
  return header.ok() ? header->text : "";
}

TEST(NnHeader, NamesTheCallsOfTheOp) {
  const auto header = nn_header(contract(kX, kZ, ""));
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->name, "aclnn_some_op.h");
  EXPECT_THAT(header->text,
              AllOf(HasSubstr("aclnnSomeOpGetWorkspaceSize("), HasSubstr("aclnnSomeOp("),
                    HasSubstr("const aclTensor* x, const aclTensor* out, uint64_t*"),
                    HasSubstr("opkit_nn_plan(\"SomeOp\", arguments, 2,")));
}

TEST(NnHeader, ParametersFollowTheVendorsRules) {
  const std::string text = text_of(contract(
      std::string(kX) + "  w: {dtype: T, shape: \"S..\", presence: optional}\n" +
          "  n: {dtype: int64, shape: \"K\", value_depend: true}\n",
      std::string(kZ) + "  m: {dtype: T, shape: \"S..\"}\n",
      "attrs:\n  on: {type: bool}\n  k: {type: int}\n  a: {type: float}\n  s: {type: string}\n"
      "  l: {type: list_int}\n  f: {type: list_float}\n  b: {type: list_bool}\n"));
  EXPECT_THAT(text,
              HasSubstr("const aclTensor* x, const aclTensor* wOptional, const aclIntArray* n, "
                        "bool on, int64_t k, double a, char* s, const aclIntArray* l, "
                        "const aclFloatArray* f, const aclBoolArray* b, "
                        "const aclTensor* zOut, const aclTensor* mOut, uint64_t*"));
}

TEST(NnHeader, AnOutputThatReplacesAnInputIsOneParameter) {
  const std::string text =
      text_of(contract(kX, "  z: {dtype: T, shape: \"S..\", inplace: x}\n", ""));
  EXPECT_THAT(text,
              AllOf(HasSubstr("(\n    const aclTensor* xRef, uint64_t*"), Not(HasSubstr("out"))));
}

TEST(NnHeader, OneNameIsGivenOnce) {
  const std::string text = text_of(contract("  out: {dtype: T, shape: \"S..\"}\n", kZ, ""));
  EXPECT_THAT(text, HasSubstr("const aclTensor* out, const aclTensor* out_, uint64_t*"));
}

TEST(NnHeader, OpsOfOneSpellingShareAHeader) {
  std::vector<NnHeader> all;
  for (const char* op : {"GEMM", "Gemm", "Other"}) {
    OpContract one = contract(kX, kZ, "");
    one.op = op;
    add_header(nn_header(one).value(), all);
  }
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "aclnn_gemm.h");
  EXPECT_THAT(all[0].text,
              AllOf(HasSubstr("#ifndef OPKIT_ACLNN_GEMM_H_"), HasSubstr("aclnnGEMM("),
                    HasSubstr("#ifndef OPKIT_ACLNN_Gemm_H_"), HasSubstr("aclnnGemm(")));
  EXPECT_EQ(all[1].name, "aclnn_other.h");
}

TEST(NnHeader, AListOfTextsIsNoParameter) {
  const auto header = nn_header(contract(kX, kZ, "attrs:\n  names: {type: list_string}\n"));
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().code, "OPK-CC-012");
  EXPECT_THAT(header.error().message, HasSubstr("'names' is a list_string"));
}

}  // namespace
}  // namespace opkit::project
