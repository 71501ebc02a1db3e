// `contract check` tries the reference: types and shapes of every node, for every column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/op_contract.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

// The messages, one after the other, of a contract with this reference (from line 8) and y's shape.
std::string messages(const std::string& reference, const std::string& more = "",
                     const std::string& shape = "M, N") {
  const auto checked = OpContract::check(
      R"(op: Tried
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N"}
)" +
          std::string(reference.find("z]") == std::string::npos
                          ? "  # no z"
                          : "  z: {dtype: float32, shape: \"N\", presence: optional}") +
          R"(
outputs: {y: {dtype: T, shape: ")" +
          shape + R"("}}
types: {T: [float16, float32]}
reference:
)" + reference +
          more,
      "c.yaml");
  std::string text;
  for (const Error& message : checked.messages) text += message.to_string() + "\n";
  return text;
}

constexpr const char* kKeepsZ =
    "  - {op: Add, in: [a, b], out: y, when: \"present(z)\", else: a}\n";
std::string with(const std::string& first) {
  return first +
         "  - {op: Cast, in: [z], out: b, attrs: {to: float16}, when: \"present(z)\", else: a}\n" +
         kKeepsZ;
}

TEST(TryReference, AritiesAndAttributesAreJudgedAtTheirNode) {
  EXPECT_THAT(messages(with("  - {op: Relu, in: [x, x], out: a}\n")),
              HasSubstr("c.yaml:9:5: error OPK-REF-002: Tried: 2 inputs"));
  EXPECT_THAT(messages(with("  - {op: LeakyRelu, in: [x], out: a, attrs: {alfa: 1}}\n")),
              HasSubstr("c.yaml:9:5: error OPK-REF-004: Tried: there is no attribute 'alfa'"));
  EXPECT_THAT(messages(with("  - {op: Cast, in: [x], out: a}\n")),
              HasSubstr("error OPK-REF-003: Tried: attribute 'to' is missing"));
  EXPECT_THAT(messages(with("  - {op: Softmax, in: [x], out: a, attrs: {axis: \"last\"}}\n")),
              HasSubstr("error OPK-REF-005"));
}

TEST(TryReference, SpellingsAreJudgedAtTheirName) {
  const std::string text = messages(
      "  - {op: Relu, in: [x], out: y}\nspellings:\n"
      "  twice: [{op: Concat, in: [x, x], out: y, attrs: {axis: 0}}]\n"
      "  wide: [{op: Cast, in: [x], out: y, attrs: {to: float64}}]\n"
      "  fine: [{op: Max, in: [x, {const: 0}], out: y}]\n");
  EXPECT_THAT(text, HasSubstr("c.yaml:11:3: error OPK-CONTRACT-047: Tried: the spelling twice "
                              "gives y the shape"));
  EXPECT_THAT(text, HasSubstr("c.yaml:12:3: error OPK-CONTRACT-047: Tried: the spelling wide "
                              "gives y as float64"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("c.yaml:13")));
}

TEST(TryReference, DtypesAreJudgedPerColumn) {
  const std::string text = messages(
      "  - {op: Identity, in: [x], out: a}\n"
      "  - {op: Add, in: [a, z], out: y, when: \"present(z)\", else: a}\n");
  EXPECT_THAT(text, HasSubstr("c.yaml:10:5: error OPK-REF-007: Tried: input 1 is float32, input 0 "
                              "is float16"));
  EXPECT_THAT(text, HasSubstr("for T=float16"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("for T=float32")));
}

TEST(TryReference, ShapesAreJudgedOnSampleCalls) {
  const std::string text = messages(with("  - {op: MatMul, in: [x, x], out: a}\n"));
  EXPECT_THAT(text, HasSubstr("c.yaml:9:5: "));
  EXPECT_THAT(text, HasSubstr("have no matrix product"));
  // Squares have one: the constraints allow others, too.
  EXPECT_THAT(text, HasSubstr("warning OPK-CONTRACT-048"));
}

TEST(TryReference, OutputsAreComparedWithTheReference) {
  const std::string plain = "  - {op: Relu, in: [x], out: y}\n";
  EXPECT_THAT(
      messages(plain, "", "N, M"),
      HasSubstr("the reference gives y the shape [3, 5], the output is declared as [5, 3]"));
  EXPECT_THAT(
      messages("  - {op: Cast, in: [x], out: y, attrs: {to: float32}}\n"),
      HasSubstr("error OPK-CONTRACT-047: Tried: the reference gives y as float32, the output "
                "is declared as float16"));
}

// What inference refuses comes to no reference, and needs no constraint.
TEST(TryReference, ABroadcastNeedsNoConstraint) {
  const auto codes = [](const std::string& reference) {
    const auto checked = OpContract::check(R"yaml(op: Tried
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "A.."}
  z: {dtype: float32, shape: "B.."}
outputs: {y: {dtype: float32, shape: "broadcast(A, B)"}}
reference:
  - )yaml" + reference + "\n",
                                           "c.yaml");
    std::string text;
    for (const Error& message : checked.messages) text += message.code + " ";
    return text;
  };
  EXPECT_THAT(codes("{op: Add, in: [x, z], out: y}"), ::testing::Not(HasSubstr("OPK-CONTRACT-04")));
  EXPECT_THAT(codes("{op: Concat, in: [x, z], out: y, attrs: {axis: 0}}"),
              HasSubstr("OPK-CONTRACT-047"));
}

TEST(TryReference, CasesOfTheAuthorMustFit) {
  const std::string text = messages(
      "  - {op: Reshape, in: [x, {const: [6, 2], dtype: int64}], out: a}\n"
      "  - {op: Reshape, in: [a, {shape: \"M, N\"}], out: y}\n",
      "tests: {shapes: [{M: 3, N: 4}, {M: 4, N: 4}]}\n");
  EXPECT_THAT(text, HasSubstr("c.yaml:9:5: error OPK-REF-006"));
  EXPECT_THAT(text, HasSubstr("[4, 4] cannot become [6, 2]"));
  EXPECT_THAT(text, HasSubstr("in the case at c.yaml:11:"));
}

TEST(TryReference, OperatorsWithoutABoundAreNamed) {
  const std::string tan = "  - {op: Tan, in: [x], out: a}\n";
  EXPECT_THAT(messages(with(tan)),
              HasSubstr("c.yaml:9:5: warning OPK-CONTRACT-049: Tried: no error "
                        "bound is known for Tan"));
  EXPECT_THAT(messages(with(tan), "tolerance: {value: 0.001, reason: \"a table\"}\n"),
              ::testing::Not(HasSubstr("OPK-CONTRACT-049")));
}

}  // namespace
}  // namespace opkit
