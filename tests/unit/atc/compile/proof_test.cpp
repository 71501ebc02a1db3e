// What counts as proof: distances, and outputs of which data prove nothing.
#include "opkit/atc/compile/proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "opkit/atc/compile/compile.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

graph::RefTensor list(DType dtype, std::vector<double> values) {
  const auto count = static_cast<int64_t>(values.size());
  return {dtype, Shape{count}, std::move(values)};
}

TEST(Distance, IsAShareOfTheLargestElement) {
  EXPECT_EQ(distance(list(DType::kFloat32, {4, -8, 1}), list(DType::kFloat32, {4, -8, 2})), 0.125);
  EXPECT_EQ(distance(list(DType::kFloat32, {4, -8, 1}), list(DType::kFloat32, {4, -8})), INFINITY);
  EXPECT_EQ(distance(list(DType::kFloat32, {4, NAN}), list(DType::kFloat32, {3, 1})), 0.25);
  EXPECT_EQ(distance(list(DType::kFloat32, {4, 1}), list(DType::kFloat32, {4, INFINITY})),
            INFINITY);
}

// Elements of float16 below 2^-14 have few digits: an output of nothing else counts as that large.
// float32 has no such bound.
TEST(Distance, HasALeastElementInHalfPrecision) {
  const double last = 0x1p-24;  // the smallest number of float16
  EXPECT_EQ(distance(list(DType::kFloat16, {2 * last, 0}), list(DType::kFloat16, {3 * last, 0})),
            0x1p-10);
  EXPECT_EQ(distance(list(DType::kFloat16, {0x1p-13}), list(DType::kFloat16, {0x1p-13 + last})),
            0x1p-11);
  EXPECT_EQ(distance(list(DType::kFloat32, {2 * last, 0}), list(DType::kFloat32, {3 * last, 0})),
            0.5);
}

Proof proof_of(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  const auto folder = std::filesystem::path(testing::TempDir()) / "proof_opp";
  std::filesystem::create_directories(folder / "vendors");
  const InstalledOps none = InstalledOps::open(registry::Registry::open(folder), "Ascend910B1");
  Options options;
  options.candidates.soc = "Ascend910B1";
  const auto made = compile(std::move(*graph), none, options);
  EXPECT_TRUE(made.ok()) << made.error().to_string();
  const auto proof = prove(*made, none);
  EXPECT_TRUE(proof.ok()) << proof.error().to_string();
  return proof.ok() ? *proof : Proof();
}

// What is left of large numbers is their rounding: in float32 anything may come out.
TEST(Proof, IsNoneWhereRoundingIsAsLargeAsTheOutput) {
  const Proof proof = proof_of(
      "graph \"g\" opset 17\ninput x: float32[8]\nconst big: float32[] = 300000000\n"
      "const one: float32[] = 1\na = Mul(x, big)\nb = Add(a, one)\ny = Sub(b, a)\noutput y\n");
  ASSERT_EQ(proof.warnings.size(), 2u);  // on both sets
  EXPECT_EQ(proof.warnings[0].severity, Severity::kWarning);
  EXPECT_THAT(
      proof.warnings[0].to_string(),
      AllOf(HasSubstr("OPK-PROOF-005: output 'y' proves nothing on small integers: it moves "
                      "by "),
            HasSubstr("of its largest element where results on the way are rounded "
                      "otherwise"),
            HasSubstr("compile the network with trained weights")));
  EXPECT_THAT(proof.warnings[1].to_string(), HasSubstr("proves nothing on random data"));
  EXPECT_EQ(proof.proved, 0u);
  EXPECT_EQ(proof.unproved, 2u);
  EXPECT_EQ(proof.file, 0);
  EXPECT_EQ(proof_text(proof).substr(proof_text(proof).find('\n') + 1),
            "not proved by data: rounding on the way moves every output too far "
            "(OPK-PROOF-005)\n");
}

// A product of many fractions is 0 in float32, and the first of such zeros is the largest one.
TEST(Proof, IsNoneWhereNumbersBecomeTooSmall) {
  const Proof proof = proof_of(
      "graph \"g\" opset 17\ninput x: float32[144, 6]\np = ReduceProd(x) {axes=[0], keepdims=1}\n"
      "y = Hardmax(p)\noutput y\n");
  ASSERT_EQ(proof.warnings.size(), 1u);
  EXPECT_THAT(proof.warnings[0].to_string(),
              HasSubstr("OPK-PROOF-005: output 'y' proves nothing on random data: it moves by 1 of "
                        "its largest element"));
  EXPECT_EQ(proof.proved, 1u);
  EXPECT_EQ(proof.unproved, 1u);
}

TEST(Proof, CountsWhatRoundingLeavesAlone) {
  const Proof proof = proof_of(
      "graph \"g\" opset 17\ninput x: float32[8]\nconst big: float32[] = 3\n"
      "y = Mul(x, big)\noutput y\n");
  EXPECT_TRUE(proof.warnings.empty());
  EXPECT_EQ(proof.proved, 2u);
  EXPECT_THAT(proof_text(proof), HasSubstr("checked: against the model in the file (opset 17), on "
                                           "integers and random data: within "));
}

}  // namespace
}  // namespace opkit::compile
