// Plans at work: a problem is bound and tiled once, a call of any size has a modelled cost, and dry
// launches say what the real ones say.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <cstdlib>

#include "negate_op.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

using negate_op::Mistake;
using testing::HasSubstr;

// Negate's, for tensors that no host could hold.
OpContract contract() {
  std::string text = negate_op::contract_text();
  text.replace(text.find("2**33"), 5, "2**46");
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

std::atomic<int> tilings{0};
int32_t (*right_tile)(const opk_call_v1*, opk_tiling_v1*) = nullptr;

int32_t count_and_tile(const opk_call_v1* call, opk_tiling_v1* answer) {
  ++tilings;
  return right_tile(call, answer);
}

// Seven launches and more: Fast twice, Checked, two schedules, the cover, the laws.
TEST(Plans, LaunchesOfAProblemShareOnePlan) {
  const OpContract op = contract();
  opk_op_v1 counted = negate_op::with(Mistake::kNone);
  right_tile = counted.tile;
  counted.tile = count_and_tile;
  InProcess executor(&counted, "negate");
  const auto problem = parse_line(op, "--t T=float32 --d S=1000 --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  tilings = 0;
  const ProblemResult result = judge(op, executor, *problem);
  EXPECT_EQ(result.verdict, Verdict::kPassed) << result.reason;
  // Once for the launches, once more and once with other attributes to see whether that matters.
  EXPECT_EQ(tilings, 3);
}

CallFacts call_of(int64_t elements) {
  CallFacts facts;
  facts.inputs = {{{{"x", DType::kFloat32, Shape{elements}, Format::kND}, {}}}};
  return facts;
}

SharedPlan plan_for(const OpContract& op, Executor& executor, int64_t elements) {
  auto plan = executor.plan(op, "Ascend910B1", call_of(elements));
  EXPECT_TRUE(plan.ok()) << plan.error().to_string();
  return plan.ok() ? *plan : nullptr;
}

constexpr int64_t kTebibyte = int64_t{1} << 37;  // floats; as many go in as come out

TEST(Plans, TheCostIsThatOfTheTimedLaunch) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const int64_t elements = 1000003;
  const auto cost = executor.cost(plan_for(op, executor, elements));
  ASSERT_TRUE(cost.ok()) << cost.error().to_string();
  Invocation call;
  call.contract = &op;
  call.soc = "Ascend910B1";
  call.inputs = {{Tensor(DType::kFloat32, Shape{elements}, "x")}};
  WatchOptions timed;
  timed.mode = Mode::kTimed;
  const auto seen = executor.watch(std::move(call), timed);
  ASSERT_TRUE(seen.ok()) << seen.error().to_string();
  EXPECT_TRUE(cost->exact);
  EXPECT_EQ(cost->cycles, seen->watched.timed->cycles);
  EXPECT_EQ(cost->task_ns, seen->watched.timed->task_ns);
  EXPECT_EQ(cost->timed->traffic.hbm_read, seen->watched.timed->traffic.hbm_read);
}

// The whole launch and its first part, of a call that is long enough for both.
TEST(Plans, AnEstimateIsNearTheWholeLaunch) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const SharedPlan plan = plan_for(op, executor, int64_t{1} << 28);
  OpRunner runner(*plan->soc, 1);
  const auto whole = modelled_cost(plan, runner.machine(), {~uint64_t{0}});
  const auto part = modelled_cost(plan, runner.machine(), {whole->instructions / 2});
  ASSERT_TRUE(whole.ok() && part.ok());
  EXPECT_TRUE(whole->exact);
  EXPECT_FALSE(part->exact);
  EXPECT_LT(part->watched_share, 0.6);
  const double ratio = static_cast<double>(part->cycles) / static_cast<double>(whole->cycles);
  EXPECT_NEAR(ratio, 1, 0.05);
}

TEST(Plans, ATebibyteOfTensorsHasAModelledCost) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const auto cost = executor.cost(plan_for(op, executor, kTebibyte));
  ASSERT_TRUE(cost.ok()) << cost.error().to_string();
  EXPECT_FALSE(cost->exact);
  EXPECT_LT(cost->watched_share, 0.1);
  // Not below what HBM takes: 835 bytes a cycle for what is read, and as much is written.
  EXPECT_GT(cost->cycles, uint64_t{4} * kTebibyte / 835);
  EXPECT_LT(cost->spread, 0.5);
}

// Neither memory nor addresses of the call's size: the process may have 4 GiB in all.
[[noreturn]] void plan_within_four_gibibytes() {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = rlim_t{4} << 30;
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  const auto plan = executor.plan(op, "Ascend910B1", call_of(kTebibyte));
  if (!plan.ok()) std::_Exit(3);
  std::_Exit(executor.cost(*plan).ok() ? 0 : 4);
}

TEST(PlansDeathTest, PlanningNeedsNoAddressesOfTheCallsSize) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need addresses themselves";
#endif
  EXPECT_EXIT(plan_within_four_gibibytes(), testing::ExitedWithCode(0), "");
}

Error refusal(Mistake mistake, int64_t elements) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(mistake), "negate");
  const SharedPlan plan = plan_for(op, executor, elements);
  OpRunner runner(*plan->soc, 1);
  const auto cost = modelled_cost(plan, runner.machine(), {1 << 12});
  EXPECT_FALSE(cost.ok());
  return cost.ok() ? Error() : cost.error();
}

TEST(Plans, AKernelThatReadsItsDataHasNoCostWithoutThem) {
  const Error error = refusal(Mistake::kReadsData, 1000);
  EXPECT_EQ(error.code, "OPK-DRY-001");
  EXPECT_THAT(error.message, HasSubstr("other computed values lead it other ways"));
  EXPECT_EQ(error.action, "run it on data");
}

TEST(Plans, AKernelWhoseValuesDecideNothingHasACost) {
  const OpContract op = contract();
  const auto cost_of = [&](Mistake mistake) {
    InProcess executor(&negate_op::with(mistake), "negate");
    auto cost = executor.cost(plan_for(op, executor, 1000));
    EXPECT_TRUE(cost.ok()) << cost.error().to_string();
    return cost.ok() ? cost->cycles : 0;
  };
  EXPECT_GT(cost_of(Mistake::kReadsScale), cost_of(Mistake::kNone));
}

TEST(Plans, ADryLaunchThatNeedsDataIsRefused) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kReadsData), "negate");
  WatchOptions checked;
  checked.mode = Mode::kChecked;
  const auto seen = executor.watch_dry(plan_for(op, executor, 1000), checked);
  ASSERT_FALSE(seen.ok());
  EXPECT_EQ(seen.error().code, "OPK-DRY-001");
}

TEST(Plans, ACallBeyondAllAddressesIsPlannedAndNotLaunched) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const auto cost = executor.cost(plan_for(op, executor, int64_t{1} << 44));
  ASSERT_FALSE(cost.ok());
  EXPECT_EQ(cost.error().code, "OPK-RUN-011");
  EXPECT_THAT(cost.error().message, HasSubstr("the call's tensors take more than"));
}

TEST(Plans, AnEstimateThatNothingSupportsIsRefused) {
  const Error repeats = refusal(Mistake::kOwnRepeat, kTebibyte);
  EXPECT_EQ(repeats.code, "OPK-COST-001");
  EXPECT_THAT(repeats.message, HasSubstr("its first part writes outputs several times"));
  EXPECT_THAT(refusal(Mistake::kSumFirst, 1 << 26).message,
              HasSubstr("its blocks wait for each other"));
}

bool in_place(Mistake mistake, int64_t elements) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(mistake), "negate");
  const auto takes = executor.takes_in_place(plan_for(op, executor, elements), {0, 0});
  EXPECT_TRUE(takes.ok()) << takes.error().to_string();
  return takes.ok() && *takes;
}

TEST(Plans, AKernelThatReadsEachTileFirstWorksInPlace) {
  for (const int64_t elements : {1, 17, 1000, 100003, 10000000})
    EXPECT_TRUE(in_place(Mistake::kNone, elements)) << elements;
}

TEST(Plans, AKernelThatReadsWhatItWroteDoesNotWorkInPlace) {
  for (const Mistake mistake : {Mistake::kOwnRepeat, Mistake::kOverlap, Mistake::kSumFirst,
                                Mistake::kReadsData, Mistake::kReadsScale})
    EXPECT_FALSE(in_place(mistake, 100003)) << static_cast<int>(mistake);
}

TEST(Plans, AKernelThatIsTooLongToWatchIsNotProvedToWorkInPlace) {
  EXPECT_FALSE(in_place(Mistake::kNone, kTebibyte));
}

TEST(Plans, ADryLaunchIsCheckedLikeARealOne) {
  const OpContract op = contract();
  WatchOptions checked;
  checked.mode = Mode::kChecked;
  for (const Mistake mistake : {Mistake::kNone, Mistake::kOverlap, Mistake::kHole}) {
    InProcess executor(&negate_op::with(mistake), "negate");
    const int64_t elements = 100003;
    const auto dry = executor.watch_dry(plan_for(op, executor, elements), checked);
    ASSERT_TRUE(dry.ok()) << dry.error().to_string();
    EXPECT_TRUE(dry->execution.outputs.empty());
    Invocation call;
    call.contract = &op;
    call.soc = "Ascend910B1";
    call.inputs = {{Tensor(DType::kFloat32, Shape{elements}, "x")}};
    const auto real = executor.watch(std::move(call), checked);
    ASSERT_TRUE(real.ok()) << real.error().to_string();
    EXPECT_EQ(core::to_text(dry->watched.checked, dry->places),
              core::to_text(real->watched.checked, real->places));
    EXPECT_EQ(dry->watched.good(), real->watched.good());
  }
}

TEST(Plans, OneInvocationCanBeWatchedInEveryMode) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  Invocation call;
  call.contract = &op;
  call.soc = "Ascend910B1";
  call.inputs = {{Tensor(DType::kFloat32, Shape{100}, "x")}};
  call.inputs[0][0].set(99, 5);
  call.plan = plan_for(op, executor, 100);
  for (const std::string& name : mode_names()) {
    WatchOptions options;
    options.mode = *mode_from_name(name);
    const auto seen = executor.watch(call, options);
    ASSERT_TRUE(seen.ok()) << seen.error().to_string();
    EXPECT_TRUE(seen->watched.good()) << name;
    EXPECT_EQ(seen->watched.timed.has_value(), options.mode == Mode::kTimed);
    EXPECT_EQ(seen->execution.outputs[0][0].at(99), -5) << name;
  }
  EXPECT_FALSE(mode_from_name("slow"));
}

TEST(Plans, AChipWithoutFiguresHasNoTimes) {
  const OpContract op = contract();
  InProcess executor(&negate_op::with(Mistake::kNone), "negate");
  const auto plan = executor.plan(op, "Ascend310B1", call_of(1000));
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(executor.cost(*plan).error().code, "OPK-CLI-015");
}

}  // namespace
}  // namespace opkit::verify
