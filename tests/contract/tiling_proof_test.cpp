// Tilings that are wrong on purpose: overlaps, holes, tiles that do not fit on one chip, offsets
// that are too narrow for shapes that nobody could run.
#include "opkit/verify/proof/tiling_proof.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "negate_op.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/proof/prove.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using negate_op::Mistake;
using testing::AllOf;
using testing::HasSubstr;

OpContract contract() {
  auto parsed = OpContract::parse(negate_op::contract_text(), "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

TestReport run(const OpContract& op, InProcess& executor, Tier tier = Tier::kSmoke) {
  TestRequest request;
  request.contract = &op;
  request.executor = &executor;
  request.tier = tier;
  request.random_problems = 2;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}
TestReport run(Mistake mistake, Tier tier = Tier::kSmoke) {
  InProcess executor(&negate_op::with(mistake), "negate");
  return run(contract(), executor, tier);
}

// Returns what the tests say of the op without a mistake; they run once for all cases of this
// program.
const TestReport& right_report() {
  static const TestReport report = run(Mistake::kNone);
  return report;
}

ProvedTiling prove(Mistake mistake, const std::string& line, bool with_data = false) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(mistake), "negate");
  auto problem = parse_line(op, line);
  EXPECT_TRUE(problem.ok()) << problem.error().to_string();
  if (!with_data) return prove_tiling(op, executor, *problem, nullptr);
  const auto inputs = make_inputs(op, *problem);
  return prove_tiling(op, executor, *problem, &*inputs);
}

const Failure* failure_with(const TestReport& report, const std::string& code) {
  for (const Failure& failure : report.failures) {
    if (failure.smallest.code == code) return &failure;
  }
  return nullptr;
}

TEST(TilingProof, RightTilingIsProvedForEveryChipAndForShapesThatNobodyCouldRun) {
  const TestReport& report = right_report();
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report_text(report);
  EXPECT_EQ(report.tiling.wrong, 0);
  EXPECT_GT(report.tiling.calls, 100);
  EXPECT_GT(report.tiling.large, 0);
  EXPECT_GE(report.tiling.socs.size(), 6u);  // four of Ascend910B, two of Ascend310B
  // Larger ones wait for a tier with a larger budget.
  for (const auto& [reason, calls] : report.tiling.not_judged)
    EXPECT_EQ(reason, "the tier's budget of instructions is spent");
  EXPECT_GT(report.tiling.most_elements, int64_t{1} << 32);
  EXPECT_THAT(report_text(report), HasSubstr("every element is written by one core"));
  EXPECT_THAT(report_text(report), HasSubstr("UB: at most"));
  EXPECT_THAT(report_json(report), HasSubstr("\"most_elements\""));
}

TEST(TilingProof, KeyOfLargeShapesOnlyIsFoundAndRunOnData) {
  const TestReport& report = right_report();
  const auto label = report.coverage.labels.find("tiling key 7");
  ASSERT_NE(label, report.coverage.labels.end());
  bool smallest = false;
  for (const ProblemResult& result : report.results) {
    smallest = smallest || (result.origin == "tiling key 7" && result.ran &&
                            result.problem.symbols.lists.at("S") ==
                                std::vector<int64_t>{negate_op::kLarge + 1});
  }
  EXPECT_TRUE(smallest) << report_text(report);
}

// What is wrong with the largest shapes of a strategy shows only in values that differ.
TEST(TilingProof, TheWidestCallOfAKeyRunsOnData) {
  const TestReport& report = right_report();
  const auto widest = std::find_if(
      report.results.begin(), report.results.end(),
      [](const ProblemResult& result) { return result.origin == "widest S of tiling key 0"; });
  ASSERT_NE(widest, report.results.end()) << report_text(report);
  EXPECT_TRUE(widest->ran);
  EXPECT_EQ(widest->problem.data, DataClass::kUniform);
  EXPECT_EQ(widest->problem.symbols.lists.at("S"),
            std::vector<int64_t>{element_budget(Tier::kSmoke) / 2});
}

// Too large to run on data under Checked, and right in program order.
TEST(TilingProof, ARaceOfTheThirdTileIsFoundWithoutData) {
  const TestReport report = run(Mistake::kThirdTile);
  EXPECT_EQ(report.verdict, Verdict::kFailed);
  ASSERT_FALSE(report.failures.empty());
  for (const Failure& failure : report.failures) {
    EXPECT_THAT(failure.smallest.code, testing::StartsWith("EK13")) << failure.smallest.reason;
    // Its line fails alone.
    const OpContract op = contract();
    InProcess executor(&negate_op::with(Mistake::kThirdTile), "negate");
    EXPECT_EQ(judge(op, executor, failure.smallest.problem).code, failure.smallest.code);
  }
}

TEST(TilingProof, BothSidesOfAChangeOfTheKeyAreTried) {
  const TestReport& right = right_report();
  EXPECT_GT(right.tiling.checked, 0);
  EXPECT_THAT(report_text(right), HasSubstr("under Checked without data: "));
  std::set<int64_t> sizes;
  for (const Problem& side : right.tiling.changes) {
    const std::vector<int64_t>& dims = side.symbols.lists.at("S");
    if (dims.size() == 1) sizes.insert(dims[0]);
  }
  EXPECT_EQ(sizes.count(negate_op::kLarge), 1u);
  EXPECT_EQ(sizes.count(negate_op::kLarge + 1), 1u);
  const TestReport report = run(Mistake::kLastOfKey);
  const Failure* failure = failure_with(report, "OPK-VERIFY-060");
  ASSERT_NE(failure, nullptr) << report_text(report);
  EXPECT_EQ(failure->found.origin, "tiling, change of strategy");
}

TEST(TilingProof, KeyThatNoShapeHasIsAFailure) {
  std::string text = negate_op::contract_text();
  text += "kernel: {entry: negate, task_type: aiv_only, tiling_keys: [0, 7, 9]}\n";
  const auto op = OpContract::parse(text, "op_contract.yaml");
  ASSERT_TRUE(op.ok()) << op.error().to_string();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const TestReport report = run(*op, executor);
  EXPECT_EQ(report.verdict, Verdict::kFailed) << report_text(report);
  EXPECT_EQ(report.reason, "no problem reached tiling key 9");
}

// A kernel built for a key is a promise, whether the contract lists keys or not.
TEST(TilingProof, KeyThatAKernelWasBuiltForMustBeReached) {
  opk_op_v1 op = negate_op::with(Mistake::kNone);
  opk_kernel_v1 of_nine = *op.kernels[1];
  of_nine.tiling_key = 9;
  const opk_kernel_v1* const kernels[] = {op.kernels[0], op.kernels[1], &of_nine};
  op.kernels = kernels;
  op.kernel_count = 3;
  InProcess executor(&op, "negate");
  EXPECT_EQ(executor.tiling_keys(), std::set<uint64_t>{9});
  const OpContract of_text = contract();
  const TestReport report = run(of_text, executor);
  EXPECT_EQ(report.reason, "no problem reached tiling key 9");
}

TEST(TilingProof, OverlapWithTheRightValuesIsFound) {
  const TestReport report = run(Mistake::kOverlap);
  EXPECT_EQ(report.verdict, Verdict::kFailed);
  const Failure* failure = failure_with(report, "OPK-VERIFY-061");
  ASSERT_NE(failure, nullptr) << report_text(report);
  EXPECT_THAT(failure->smallest.reason,
              AllOf(HasSubstr("element 64, at [64]"), HasSubstr("by block 0 and by block 1")));
  // The smallest shape with two blocks: shares have 64 elements.
  EXPECT_EQ(failure->smallest.problem.symbols.lists.at("S"), std::vector<int64_t>{65});
}

TEST(TilingProof, HoleIsFound) {
  const TestReport report = run(Mistake::kHole);
  const Failure* failure = failure_with(report, "OPK-VERIFY-060");
  ASSERT_NE(failure, nullptr) << report_text(report);
  EXPECT_THAT(failure->smallest.reason,
              AllOf(HasSubstr("hole in y"), HasSubstr("element 0, at [0]")));
  EXPECT_EQ(failure->smallest.problem.symbols.lists.at("S"), std::vector<int64_t>{1});
}

TEST(TilingProof, TileThatOverflowsOnlyTheSmallerMemoryIsFoundWithTheLargestThatFits) {
  // 200,000 bytes: UB of Ascend310B has 261,888, that of Ascend910B 196,352.
  const TestReport report = run(Mistake::kLargeTile);
  const Failure* failure = failure_with(report, "EK1101");
  ASSERT_NE(failure, nullptr) << report_text(report);
  const ProblemResult& smallest = failure->smallest;
  EXPECT_THAT(smallest.problem.soc, HasSubstr("910B"));
  EXPECT_THAT(smallest.reason, AllOf(HasSubstr("of UB, of which " + smallest.problem.soc),
                                     HasSubstr("a tile of at most"), HasSubstr("it fits")));
  for (const ProblemResult& result : report.results) {
    if (result.verdict == Verdict::kFailed) {
      EXPECT_THAT(result.problem.soc, HasSubstr("910B"));
    }
  }
  // One element less fits, by the same proof.
  Problem less = smallest.problem;
  less.symbols.lists["S"].back() -= 1;
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kLargeTile), "negate");
  EXPECT_FALSE(prove_tiling(op, executor, less, nullptr).wrong);
}

TEST(TilingProof, LargestTileReallyFits) {
  const ProvedTiling proved =
      prove(Mistake::kLargeTile, "--t T=float16 --d S=100000000 --soc Ascend910B1");
  ASSERT_TRUE(proved.wrong);
  // 2 buffers of 50,000 halves; 196,352 bytes hold 49,088.
  EXPECT_THAT(proved.wrong->message,
              AllOf(HasSubstr("take 200000 bytes of UB"),
                    HasSubstr("a tile of at most 49088 elements fits (this one: 50000)")));
  EXPECT_FALSE(prove(Mistake::kLargeTile, "--t T=float16 --d S=100000000 --soc Ascend310B1").wrong);
}

TEST(TilingProof, OffsetOf32BitsFailsOnlyBeyondFourGigabytes) {
  EXPECT_FALSE(
      prove(Mistake::kNarrowOffset, "--t T=float32 --d S=1073741824 --soc Ascend910B1").wrong);
  const ProvedTiling proved =
      prove(Mistake::kNarrowOffset, "--t T=float32 --d S=1073850000 --soc Ascend910B1");
  ASSERT_TRUE(proved.wrong);
  EXPECT_EQ(proved.wrong->code, "OPK-VERIFY-061") << proved.wrong->message;
}

// 48 cores × 4224 elements + 5: the quotient needs no rounding up, and nobody has the remainder.
TEST(TilingProof, AShareRoundedDownLeavesTheRemainder) {
  const ProvedTiling proved =
      prove(Mistake::kRoundsDown, "--t T=float32 --d S=202757 --soc Ascend910B1");
  ASSERT_TRUE(proved.wrong);
  EXPECT_THAT(proved.wrong->message, HasSubstr("of 202757 elements in all"));
}

TEST(TilingProof, BothAreFoundInEveryTier) {
  const TestReport down = run(Mistake::kRoundsDown);
  EXPECT_EQ(down.verdict, Verdict::kFailed) << report_text(down);
  EXPECT_NE(failure_with(down, "OPK-VERIFY-060"), nullptr) << report_text(down);
  const TestReport narrow = run(Mistake::kNarrowOffset);
  EXPECT_EQ(narrow.verdict, Verdict::kFailed) << report_text(narrow);
  EXPECT_NE(failure_with(narrow, "OPK-VERIFY-061"), nullptr) << report_text(narrow);
}

// What is decided for every legal call is proved, everything else sampled.
TEST(TilingProof, OnlyAWholeDomainIsProved) {
  EXPECT_THAT(report_text(right_report()), HasSubstr("tiling, sampled:"));
  std::string text = negate_op::contract_text();
  text.replace(text.find("S.."), 3, "N");
  text.replace(text.find("S.."), 3, "N");
  text.replace(text.find("where: {"), text.find("reference:") - text.find("where: {"),
               "where: {C1: \"1 <= N <= 100\"}\n");
  const auto small = OpContract::parse(text, "op_contract.yaml");
  ASSERT_TRUE(small.ok()) << small.error().to_string();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  TestRequest request;
  request.contract = &*small;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_TRUE(report->tiling.whole_domain);
  EXPECT_GE(report->tiling.calls, static_cast<int64_t>(200 * report->tiling.socs.size()));
  EXPECT_THAT(report_text(*report), HasSubstr("tiling, proved for every legal call:"));
}

// With a reference that only whole tensors tell, the tiling is all that can be judged.
TEST(TilingProof, LineOfALargeShapeIsJudgedByItsTiling) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNarrowOffset), "negate");
  const auto wrong = parse_line(op, "--t T=float32 --d S=1073850000 --soc Ascend910B1");
  EXPECT_EQ(judge(op, executor, *wrong).code, "OPK-VERIFY-061");
  std::string text = negate_op::contract_text();
  const size_t node = text.find("{op: Neg, in: [x]");
  ASSERT_NE(node, std::string::npos);
  text.replace(node, 17, "{op: CumSum, in: [x, {const: 0, dtype: int64}]");
  const OpContract sums = OpContract::parse(text, "op_contract.yaml").value();
  const auto right = parse_line(sums, "--t T=float32 --d S=100000000 --soc Ascend910B1");
  const ProblemResult result = judge(sums, executor, *right);
  EXPECT_EQ(result.verdict, Verdict::kSkipped);
  EXPECT_EQ(result.code, "OPK-VERIFY-014");
  EXPECT_THAT(result.reason, HasSubstr("too many to run on data"));
  EXPECT_THAT(result.reason, HasSubstr("(CumSum) needs its operands whole"));
  EXPECT_THAT(result.reason, HasSubstr("the tiling is right"));
}

// More than are judged at once: in parts.
TEST(TilingProof, LineOfALargeShapeRunsOnData) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const auto line = parse_line(op, "--t T=float32 --d S=9000000 --soc Ascend910B1");
  const ProblemResult right = judge(op, executor, *line);
  EXPECT_EQ(right.verdict, Verdict::kPassed) << right.reason;
  EXPECT_EQ(right.outputs.at(0).elements, 9000000);
}

TEST(TilingProof, KernelThatReadsDataIsJudgedOnData) {
  const std::string line = "--t T=float32 --d S=1000 --soc Ascend910B1";
  const ProvedTiling watched = prove(Mistake::kReadsData, line);
  EXPECT_THAT(watched.not_judged, HasSubstr("depends on its data"));
  const ProvedTiling on_data = prove(Mistake::kReadsData, line, true);
  EXPECT_TRUE(on_data.not_judged.empty()) << on_data.not_judged;
  EXPECT_FALSE(on_data.wrong);
  // All launches that were watched, for the tier's budget.
  EXPECT_GE(watched.instructions, 2 * on_data.instructions);
}

// As a kernel does that reads a scale, or what it repeats along an axis.
TEST(TilingProof, KernelWhoseValuesDecideNothingNeedsNoData) {
  for (const char* size : {"1000", "100000000"}) {
    const std::string line = std::string("--t T=float32 --d S=") + size + " --soc Ascend910B1";
    const ProvedTiling proved = prove(Mistake::kReadsScale, line);
    EXPECT_TRUE(proved.not_judged.empty()) << proved.not_judged;
    EXPECT_FALSE(proved.wrong) << proved.wrong->message;
    EXPECT_GT(proved.instructions, 0u);
  }
}

TEST(TilingProof, RepeatedWritesOfOneCoreAreANote) {
  const ProvedTiling proved =
      prove(Mistake::kOwnRepeat, "--t T=float32 --d S=1000 --soc Ascend910B1");
  EXPECT_FALSE(proved.wrong);
  EXPECT_THAT(proved.notes, testing::ElementsAre("y is written 2.00 times over"));
}

TEST(TilingProof, AdditionsBehindSyncAllAreNoOverlap) {
  const ProvedTiling proved =
      prove(Mistake::kSumFirst, "--t T=float32 --d S=1000 --soc Ascend910B1");
  EXPECT_FALSE(proved.wrong) << proved.wrong->message;
  EXPECT_TRUE(proved.not_judged.empty()) << proved.not_judged;
}

TEST(TilingProof, ExecutorsWithoutKernelsHaveNoTiling) {
  class Plain : public Executor {
   public:
    Result<Execution> run(Invocation) override { return Execution{}; }
    std::string digest() const override { return "plain"; }
  };
  Plain plain;
  EXPECT_FALSE(plain.covers());
  const auto answer = plain.cover(nullptr, CoverKind::kDry, core::DryAnswer::kZero);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "OPK-VERIFY-063");
}

}  // namespace
}  // namespace opkit::verify
