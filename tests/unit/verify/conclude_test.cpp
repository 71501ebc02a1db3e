#include "opkit/verify/conclude.h"

#include <gmock/gmock.h>

namespace opkit::verify {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

OpContract concluded_contract(const std::string& more = "") {
  auto parsed = OpContract::parse(R"(
op: Lean
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}}
outputs: {y: {dtype: T, shape: "S.."}}
types: {T: [float16, float32]}
where: {C1: "rank(S) <= 4"}
reference: [{op: Exp, in: [x], out: y}]
)" + more,
                                  "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

// A problem of a column that passed; `inexact` of its elements lean by `bias` ulps.
ProblemResult passed(size_t column, int64_t inexact, double bias) {
  ProblemResult result;
  result.problem.column = column;
  result.ran = true;
  oracle::Comparison comparison;
  comparison.output = "y";
  comparison.elements = comparison.inexact = inexact;
  comparison.bias = bias;
  result.outputs = {comparison};
  return result;
}

std::vector<std::string> notes_of(std::vector<ProblemResult> results) {
  TestReport report;
  report.results = std::move(results);
  conclude(concluded_contract(), {}, Extent::kLine, report);
  return report.notes;
}

TEST(Conclude, NotesResultsThatLeanToOneSide) {
  EXPECT_THAT(notes_of({passed(0, 600, -0.5), passed(0, 600, 0.1)}),
              Contains("y of column T=float16: results that need rounding are 0.20 ulps too low on "
                       "average: is a rounding directed, or an attribute rounded to the type "
                       "before it is used?"));
  EXPECT_THAT(notes_of({passed(1, 1000, 0.25)}),
              Contains(HasSubstr("y of column T=float32: results that need rounding are 0.25 ulps "
                                 "too high")));
}

TEST(Conclude, NamesNoColumnWhereThereIsOne) {
  auto lone = OpContract::parse(R"(
op: Lean
version: "1.0.0"
inputs: {x: {dtype: float16, shape: "S.."}}
outputs: {y: {dtype: float16, shape: "S.."}}
where: {C1: "rank(S) <= 4"}
reference: [{op: Exp, in: [x], out: y}]
)",
                                "op_contract.yaml");
  ASSERT_TRUE(lone.ok()) << lone.error().to_string();
  TestReport report;
  report.results = {passed(0, 1000, 0.25)};
  conclude(*lone, {}, Extent::kLine, report);
  EXPECT_THAT(report.notes, Contains(HasSubstr("y: results that need rounding")));
}

TEST(Conclude, DoesNotNoteALeanThatIsSmallOrOfFewElements) {
  EXPECT_THAT(notes_of({passed(0, 999, -0.5)}), IsEmpty());
  EXPECT_THAT(notes_of({passed(0, 5000, -0.19)}), IsEmpty());
  // Columns are judged apart.
  EXPECT_THAT(notes_of({passed(0, 700, 0.5), passed(1, 700, 0.5)}), IsEmpty());
}

TEST(Conclude, FailsWhereATilingKeyIsNeverReached) {
  TestReport report;
  report.results = {passed(0, 10, 0)};
  conclude(concluded_contract(), {7}, Extent::kTier, report);
  EXPECT_EQ(report.verdict, Verdict::kFailed);
  EXPECT_EQ(report.reason, "no problem reached tiling key 7");
}

ProblemResult mistrusted(size_t column, std::vector<std::string> trivial) {
  ProblemResult result = passed(column, 100, 0);
  result.outputs[0].trivial = std::move(trivial);
  result.verdict = Verdict::kMistrusted;
  result.code = "OPK-VERIFY-024";
  result.reason = "a kernel that writes zeros would pass, too (y)";
  return result;
}

// What another problem of the column tells from the real kernel is no reason to mistrust.
TEST(Conclude, TrustsWhatOtherProblemsTell) {
  TestReport report;
  report.results = {mistrusted(0, {"zeros"}), passed(0, 100, 0),
                    mistrusted(1, {"zeros", "input x"}), mistrusted(1, {"zeros"})};
  conclude(concluded_contract(), {}, Extent::kTier, report);
  EXPECT_EQ(report.counts[Verdict::kMistrusted], 2);
  EXPECT_EQ(report.results[0].verdict, Verdict::kPassed);
  EXPECT_EQ(report.results[0].code, "");
  EXPECT_EQ(report.results[2].verdict, Verdict::kMistrusted);
  EXPECT_EQ(report.verdict, Verdict::kMistrusted);
  EXPECT_THAT(report.reason, HasSubstr("column T=float32: a kernel that writes zeros"));
}

TEST(Conclude, NotesAToleranceByHand) {
  TestReport report;
  report.results = {passed(0, 10, 0)};
  const OpContract contract = concluded_contract("tolerance: {value: 0.01, reason: \"a table\"}\n");
  conclude(contract, {}, Extent::kLine, report);
  EXPECT_THAT(report.notes, Contains(HasSubstr("manual tolerance 0.01 relative")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("in place of the derived one: a table")));
}

TEST(Conclude, SaysWhichUpperEndsNoDataReached) {
  auto parsed = OpContract::parse(R"(
op: Limited
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N, M, K"}}
outputs: {y: {dtype: float32, shape: "N, M, K"}}
where: {C1: "N <= 512 and N % 16 == 0", C2: "K <= 1000 and K <= M and M <= 7"}
reference: [{op: Exp, in: [x], out: y}]
)",
                                  "op_contract.yaml");
  ASSERT_TRUE(parsed.ok()) << parsed.error().to_string();
  const auto missing = [&](int64_t n, bool ran) {
    ProblemResult result = passed(0, 1, 0);
    result.problem.symbols.dims = {{"N", n}, {"M", 7}, {"K", 7}};
    ProblemResult tried = result;
    tried.problem.symbols.dims["N"] = 512;
    tried.ran = ran;
    TestReport report;
    report.results = {result, tried};
    conclude(*parsed, {}, Extent::kTier, report);
    return report.coverage.missing;
  };
  EXPECT_THAT(missing(96, false), Contains("N above 96 on data (it may be 512)"));
  EXPECT_THAT(missing(96, false), testing::Not(Contains(HasSubstr("K above"))));  // never 1000
  EXPECT_THAT(missing(96, true), testing::Not(Contains(HasSubstr("on data"))));
}

}  // namespace
}  // namespace opkit::verify
