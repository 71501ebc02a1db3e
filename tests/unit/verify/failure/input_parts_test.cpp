#include "opkit/verify/failure/input_parts.h"

#include <gmock/gmock.h>

#include "opkit/verify/problem_inputs.h"
#include "tests/unit/verify/parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A result of the problem, wrong at one element of its only output.
ProblemResult wrong_at(const OpContract& contract, const std::string& line,
                       std::vector<int64_t> index) {
  ProblemResult failed;
  auto problem = parse_line(contract, line + " --data uniform --seed 3 --soc Ascend910B1");
  EXPECT_TRUE(problem.ok()) << problem.error().to_string();
  failed.problem = std::move(problem).value();
  oracle::Comparison comparison;
  comparison.output = contract.outputs[0].name;
  comparison.wrong = 1;
  oracle::WrongElement worst;
  worst.index = std::move(index);
  comparison.worst.push_back(std::move(worst));
  failed.outputs.push_back(std::move(comparison));
  return failed;
}

OpContract contract_with(const std::string& inputs, const std::string& output,
                         const std::string& reference) {
  return contract_of(R"(
op: Two
version: "1.0.0"
inputs:
)" + inputs + R"(
outputs:
  z: {dtype: float32, shape: ")" +
                     output + R"(", format: ND}
reference:
  - )" + reference + R"(
soc: [Ascend910B]
)");
}

OpContract added() {
  return contract_with(R"(  x: {dtype: float32, shape: "A..", format: ND}
  y: {dtype: float32, shape: "B..", format: ND})",
                       "broadcast(A, B)", "{op: Add, in: [x, y], out: z}");
}

OpContract product() {
  return contract_with(R"(  x: {dtype: float32, shape: "M, K", format: ND}
  y: {dtype: float32, shape: "K, N", format: ND})",
                       "M, N", "{op: MatMul, in: [x, y], out: z}");
}

TEST(InputParts, ElementWiseShowsTheElementAmongItsNeighbours) {
  const OpContract contract = added();
  const ProblemResult failed = wrong_at(contract, "Two --d A=5x40,B=5x40", {3, 20});
  const auto parts = input_parts(contract, failed);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].input, "x");
  EXPECT_THAT(parts[0].first, ElementsAre(3, 16));
  EXPECT_EQ(parts[0].axis, 1u);
  EXPECT_EQ(parts[0].own, 4u);
  ASSERT_EQ(parts[0].values.size(), 12u);
  const auto inputs = make_inputs(contract, failed.problem);
  ASSERT_TRUE(inputs.ok());
  EXPECT_EQ(parts[0].values[4], (*inputs)[0][0].at(3 * 40 + 20));
  EXPECT_THAT(to_text(parts[0]),
              AllOf(HasSubstr("x[3, 16..27] = "), HasSubstr(", ["), HasSubstr(" (of 40)")));
}

TEST(InputParts, BroadcastDimsShowWhatIsThere) {
  const OpContract contract = added();
  const auto parts = input_parts(contract, wrong_at(contract, "Two --d A=5x4,B=4", {3, 2}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].first, ElementsAre(3, 0));
  EXPECT_THAT(parts[1].first, ElementsAre(0));
  EXPECT_EQ(parts[1].own, 2u);
  const auto column = input_parts(contract, wrong_at(contract, "Two --d A=5x4,B=5x1", {3, 2}));
  EXPECT_THAT(column[1].first, ElementsAre(0, 0));
  EXPECT_EQ(column[1].axis, 0u);
  EXPECT_EQ(column[1].own, 3u);
}

TEST(InputParts, ProductsShowARowAndAColumn) {
  const OpContract contract = product();
  const auto parts = input_parts(contract, wrong_at(contract, "Two --d M=4,K=30,N=30", {2, 7}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].first, ElementsAre(2, 0));
  EXPECT_EQ(parts[0].axis, 1u);
  EXPECT_FALSE(parts[0].own);
  EXPECT_THAT(parts[1].first, ElementsAre(0, 7));
  EXPECT_EQ(parts[1].axis, 0u);
  EXPECT_THAT(to_text(parts[1]), HasSubstr("y[0..11, 7] = "));
}

TEST(InputParts, ReducedAxesAreShownFromTheirBeginning) {
  const OpContract contract = contract_with(
      R"(  x: {dtype: float32, shape: "S.., N", format: ND})", "S..",
      "{op: ReduceSum, in: [x, {const: [-1], dtype: int64}], out: z, attrs: {keepdims: 0}}");
  const auto parts = input_parts(contract, wrong_at(contract, "Two --d S=3x4,N=5", {1, 2}));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_THAT(parts[0].first, ElementsAre(1, 2, 0));
  EXPECT_EQ(parts[0].values.size(), 5u);
  EXPECT_FALSE(parts[0].own);
}

TEST(InputParts, ScalarsAreTheirOwnPart) {
  const OpContract contract = added();
  const auto parts = input_parts(contract, wrong_at(contract, "Two --d A=[],B=[]", {}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].values.size(), 1u);
  EXPECT_EQ(parts[0].own, 0u);
  EXPECT_THAT(to_text(parts[0]), HasSubstr("x[] = "));
}

TEST(InputParts, NothingIsWrongNothingIsShown) {
  const OpContract contract = added();
  ProblemResult failed = wrong_at(contract, "Two --d A=5,B=5", {0});
  failed.outputs.clear();
  EXPECT_THAT(input_parts(contract, failed), IsEmpty());
}

TEST(InputParts, JsonHasTheSame) {
  const OpContract contract = product();
  const auto parts = input_parts(contract, wrong_at(contract, "Two --d M=1,K=2,N=1", {0, 0}));
  const std::string json = as_json(parts[0]).dump(-1);
  EXPECT_THAT(json, AllOf(HasSubstr("\"input\":\"x\""), HasSubstr("\"first\":[0,0]"),
                          HasSubstr("\"own\":null"), HasSubstr("\"axis\":1")));
}

}  // namespace
}  // namespace opkit::verify
