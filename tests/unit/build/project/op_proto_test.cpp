#include "opkit/build/project/op_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::project {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

OpContract contract_of(const std::string& op) {
  auto contract = OpContract::parse("op: " + op + R"yaml(
version: "1.2.0"
inputs:
  x: {dtype: float32, shape: "S.."}
  bias: {dtype: float32, shape: "S..", presence: optional}
  more: {dtype: float32, shape: "N[]", presence: dynamic}
outputs:
  y: {dtype: float32, shape: "S.."}
attrs:
  axis: {type: int}
  keep: {type: bool, default: true}
  scale: {type: float, default: 0.25}
  mode: {type: string, default: "a\"b?"}
  sizes: {type: list_int, default: [1, -2]}
  flags: {type: list_bool, default: [true, false]}
  steps: {type: list_float, default: [0.5, inf]}
  names: {type: list_string, default: ["p", "q"]}
reference: {none: "a test of headers"}
)yaml",
                                    "c.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  return *contract;
}

TEST(OpProto, IsAClassOfEachContract) {
  const std::string text = op_proto_header({contract_of("JoinRows")});
  EXPECT_THAT(text, HasSubstr("#include \"all_ops.h\""));
  EXPECT_THAT(text, HasSubstr("// JoinRows 1.2.0\nOPKIT_GE_OP(JoinRows)\n"
                              "  OPKIT_GE_INPUT(x)\n  OPKIT_GE_OPTIONAL_INPUT(bias)\n"
                              "  OPKIT_GE_DYNAMIC_INPUT(more)\n  OPKIT_GE_OUTPUT(y)\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_REQUIRED_ATTR(axis, Int)\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(keep, Bool, true)\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(scale, Float, static_cast<float>(0.25))\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(mode, String, \"a\\042b\\077\")\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(sizes, ListInt, {1, -2})\n"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(flags, ListBool, {true, false})\n"));
  EXPECT_THAT(text, HasSubstr("{static_cast<float>(0.5), __builtin_inff()}"));
  EXPECT_THAT(text, HasSubstr("OPKIT_GE_ATTR(names, ListString, {\"p\", \"q\"})\n"));
}

TEST(OpProto, LeavesOutWhatHasAClass) {
  const std::string text =
      op_proto_header({contract_of("Relu"), contract_of("JoinRows"), contract_of("JoinRows")});
  EXPECT_THAT(text, Not(HasSubstr("OPKIT_GE_OP(Relu)")));
  EXPECT_EQ(text.find("OPKIT_GE_OP(JoinRows)"), text.rfind("OPKIT_GE_OP(JoinRows)"));
}

}  // namespace
}  // namespace opkit::project
