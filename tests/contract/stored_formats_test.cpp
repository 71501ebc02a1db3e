// Columns in the cube unit's formats, tested from their contracts: right kernels pass, wrong ones
// are told by the elements that the model's author knows.
#include <gmock/gmock.h>

#include <filesystem>

#include "opkit/base/file.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/verify/capsule.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/test_run.h"
#include "stored_op.h"

namespace opkit::verify {
namespace {

using stored_op::Mistake;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

OpContract contract_of(const char* text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

OpContract matrix() { return contract_of(stored_op::matrix_contract()); }

TestReport run(const OpContract& op, Mistake mistake, const std::filesystem::path& results = {}) {
  InProcess executor(&stored_op::with(mistake), "add_row");
  TestRequest request;
  request.contract = &op;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  request.random_problems = 4;
  request.results = results;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

ProblemResult judged(const OpContract& op, Mistake mistake, const std::string& line) {
  InProcess executor(&stored_op::with(mistake), "add_row");
  auto problem = parse_line(op, line);
  EXPECT_TRUE(problem.ok()) << problem.error().to_string();
  return judge(op, executor, *problem);
}

constexpr const char* kCall =
    "AddRow --t T=float16 --d B=2,M=17,N=5 --data uniform --seed 3 --soc Ascend910B1";

TEST(StoredFormats, RightKernelsPassInEveryFormatAndDType) {
  for (const char* text : {stored_op::matrix_contract(), stored_op::image_contract()}) {
    const OpContract op = contract_of(text);
    const TestReport report = run(op, Mistake::kNone);
    EXPECT_EQ(report.verdict, Verdict::kPassed) << report_text(report);
    EXPECT_EQ(report.counts.count(Verdict::kSkipped) ? report.counts.at(Verdict::kSkipped) : 0, 0)
        << report_text(report);
    EXPECT_EQ(report.tiling.wrong, 0);
    EXPECT_GT(report.tiling.calls, 1000) << report_text(report);
    for (size_t column = 0; column < op.column_count(); ++column) {
      const auto label = report.coverage.labels.find("column " + op.column_name(column));
      ASSERT_NE(label, report.coverage.labels.end()) << op.column_name(column);
      EXPECT_GT(label->second, 20);
    }
  }
}

TEST(StoredFormats, ReportsShowShapesOfTheAuthor) {
  const ProblemResult result = judged(matrix(), Mistake::kNone, kCall);
  EXPECT_EQ(result.verdict, Verdict::kPassed) << result.reason;
  EXPECT_EQ(result.shapes, "x [2, 17, 5], b [5] -> y [2, 17, 5]");
  EXPECT_EQ(result.elements, 2 * 2 * 17 * 5 + 5);
  ASSERT_EQ(result.padding.size(), 1u);
  EXPECT_EQ(result.padding[0].second.elements, 2 * (32 * 16 - 17 * 5));
  EXPECT_EQ(result.padding[0].second.not_zero, 2 * 15 * 5);  // the rows behind the last one
  EXPECT_EQ(result.padding[0].second.untouched, 0);
}

TEST(StoredFormats, ErrorInputsAreRefusedBeforeTheyAreLaidOut) {
  const TestReport report = run(matrix(), Mistake::kNone);
  std::vector<std::string> refused;
  for (const ProblemResult& result : report.results) {
    if (result.verdict == Verdict::kRefused) refused.push_back(result.origin);
  }
  EXPECT_THAT(refused, testing::IsSupersetOf({"error C5", "error format x NC1HWC0",
                                              "error format x ND", "error dtype x int8"}));
}

TEST(StoredFormats, PanelsOfTheOriginsRowsAreFoundOut) {
  const TestReport report = run(matrix(), Mistake::kOriginRows);
  ASSERT_EQ(report.verdict, Verdict::kFailed) << report_text(report);
  ASSERT_FALSE(report.failures.empty());
  const Failure& failure = report.failures.front();
  EXPECT_THAT(failure.smallest.code, AnyOf("OPK-VERIFY-022", "OPK-VERIFY-060", "OPK-VERIFY-061"))
      << failure.smallest.reason;
  // One row more than a panel's first elements can hide, and two panels.
  const auto& dims = failure.smallest.problem.symbols.dims;
  EXPECT_LE(dims.at("M"), 2) << failure.smallest.line;
}

TEST(StoredFormats, ElementsInTheOrderOfTheOriginAreFoundOut) {
  const ProblemResult result =
      judged(matrix(), Mistake::kDense,
             "AddRow --t T=float16 --d B=2,M=17,N=20 --data uniform --seed 3 --soc Ascend910B1");
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-022") << result.reason;
  EXPECT_THAT(result.reason, HasSubstr("of 680 elements wrong; at ["));
}

TEST(StoredFormats, AHoleIsToldByTheAuthorsElement) {
  const OpContract op = matrix();
  InProcess executor(&stored_op::with(Mistake::kLastPanel), "add_row");
  const auto problem = parse_line(op, "AddRow --t T=float16 --d B=[],M=3,N=20 --soc Ascend910B1");
  const ProvedTiling proved = prove_tiling(op, executor, *problem, nullptr);
  ASSERT_TRUE(proved.wrong);
  EXPECT_EQ(proved.wrong->code, "OPK-VERIFY-060");
  EXPECT_THAT(proved.wrong->message,
              HasSubstr("a hole in y: 12 elements, from [0, 16] on as they are stored are written "
                        "by no block (12 of 60 elements in all"));
}

TEST(StoredFormats, ShapesThatNobodyCouldRunAreProved) {
  const OpContract op = matrix();
  InProcess executor(&stored_op::with(Mistake::kNone), "add_row");
  const std::string line = "AddRow --t T=float16 --d B=[],M=67108865,N=20 --soc Ascend910B1";
  const ProvedTiling right = prove_tiling(op, executor, *parse_line(op, line), nullptr);
  EXPECT_FALSE(right.wrong) << right.wrong->message;
  EXPECT_EQ(right.not_judged, "");
  stored_op::with(Mistake::kLastPanel);
  const ProvedTiling hole = prove_tiling(op, executor, *parse_line(op, line), nullptr);
  ASSERT_TRUE(hole.wrong);
  EXPECT_THAT(hole.wrong->message, HasSubstr("(268435460 of 1342177300 elements in all"));
}

TEST(StoredFormats, AnOverlapIsToldByTheAuthorsElement) {
  const OpContract op = matrix();
  InProcess executor(&stored_op::with(Mistake::kOverlap), "add_row");
  const auto problem = parse_line(op, "AddRow --t T=float16 --d B=[],M=3,N=20 --soc Ascend910B1");
  const ProvedTiling proved = prove_tiling(op, executor, *problem, nullptr);
  ASSERT_TRUE(proved.wrong);
  EXPECT_EQ(proved.wrong->code, "OPK-VERIFY-061");
  EXPECT_THAT(proved.wrong->message, AllOf(HasSubstr("overlaps in y"), HasSubstr("[0, 16]")));
}

TEST(StoredFormats, AChangeOfAnInputsPaddingIsFoundOut) {
  const ProblemResult result = judged(matrix(), Mistake::kWritesInput, kCall);
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-020");
  EXPECT_THAT(result.reason, HasSubstr("changed its input x: 1 elements of its padding"));
}

TEST(StoredFormats, PaddingOfOutputsIsToldAndNotJudged) {
  const TestReport dirty = run(matrix(), Mistake::kNone);
  EXPECT_EQ(dirty.verdict, Verdict::kPassed) << report_text(dirty);
  EXPECT_THAT(report_text(dirty),
              AllOf(HasSubstr("y of column T=float16: padding that is not zero"),
                    HasSubstr("(values); it is not judged")));
  const TestReport missing = run(matrix(), Mistake::kNoPaddingRows);
  EXPECT_EQ(missing.verdict, Verdict::kPassed) << report_text(missing);
  EXPECT_THAT(report_text(missing), HasSubstr("(not written); it is not judged"));
}

TEST(StoredFormats, AFailureShrinksAndReplaysFromItsCapsule) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "opkit_stored_formats";
  std::filesystem::remove_all(folder);
  const OpContract op = matrix();
  const TestReport report = run(op, Mistake::kDense, folder);
  ASSERT_EQ(report.verdict, Verdict::kFailed);
  ASSERT_FALSE(report.failures.empty());
  const Failure& failure = report.failures.front();
  ASSERT_FALSE(failure.capsule.empty());
  EXPECT_GT(failure.shrink_steps, 0);
  ASSERT_FALSE(failure.trace.empty());
  EXPECT_THAT(failure.trace.back(),
              AnyOf(HasSubstr("written by block"), HasSubstr("no instruction")));
  const auto text = read_file(failure.capsule);
  ASSERT_TRUE(text.ok());
  const auto capsule = read_capsule(*text);
  ASSERT_TRUE(capsule.ok()) << capsule.error().to_string();
  ASSERT_TRUE(capsule->has_bytes);
  EXPECT_EQ(capsule->inputs[0].dims.size(),
            failure.smallest.problem.symbols.lists.at("B").size() + 2);
  InProcess executor(&stored_op::with(Mistake::kDense), "add_row");
  const auto again = replay(*capsule, executor);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_TRUE(again->same()) << again->to_string();
  std::filesystem::remove_all(folder);
  EXPECT_THAT(report_html(report, op), HasSubstr("FRACTAL_NZ"));
  EXPECT_THAT(report_json(report), HasSubstr("OPK-VERIFY-022"));
  EXPECT_THAT(report_junit(report), HasSubstr("FAILED: y: "));
}

// A shape that the format does not have is counted as SKIPPED, with the port and the reason.
TEST(StoredFormats, ShapesThatAFormatDoesNotHaveAreSkipped) {
  std::string text = stored_op::matrix_contract();
  for (size_t at = 0; (at = text.find("B.., M, N", at)) != std::string::npos;)
    text.replace(at, 9, "S..");
  text.replace(text.find("shape: \"N\""), 10, "shape: \"1\"");
  const auto cut = text.find("where:");
  text.replace(cut, text.find('\n', cut) - cut, "where: {C1: \"1 <= rank(S) <= 2\"}");
  const OpContract op = contract_of(text.c_str());
  const ProblemResult result =
      judged(op, Mistake::kNone, "AddRow --t T=float16 --d S=7 --soc Ascend910B1");
  EXPECT_EQ(result.verdict, Verdict::kSkipped);
  EXPECT_EQ(result.reason, "x: a tensor in FRACTAL_NZ has 2 dims or more, not the 1 dims of [7]");
}

}  // namespace
}  // namespace opkit::verify
