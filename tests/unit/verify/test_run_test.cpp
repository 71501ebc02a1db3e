#include "opkit/verify/test_run.h"

#include <gmock/gmock.h>

#include "fake_executor.h"
#include "opkit/base/file.h"
#include "opkit/verify/capsule.h"
#include "opkit/verify/judge.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kAddRelu = R"(
op: AddRelu
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  y: {dtype: T, shape: "S..", format: ND}
outputs:
  z: {dtype: T, shape: "S..", format: ND}
types: {T: [float16, float32, bfloat16]}
where: {C1: "rank(S) <= 8", C2: "prod(S) < 2**31"}
reference:
  - {op: Add, in: [x, y], out: sum}
  - {op: Relu, in: [sum], out: z}
soc: [Ascend910B]
)";

void add_relu(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i) {
    const double sum = call.in(0).at(i) + call.in(1).at(i);
    call.out().set(i, sum < 0 ? 0 : sum);
  }
}

TestReport run(const OpContract& contract, FakeExecutor& executor, Tier tier = Tier::kSmoke) {
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = tier;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

TEST(TestRun, RightKernelPasses) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  const TestReport report = run(contract, executor);
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report_text(report);
  EXPECT_TRUE(report.coverage.missing.empty()) << report_text(report);
}

// One column of three: nothing of the others is run, and nothing of them is missed.
TEST(TestRun, OneColumnAlone) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.column = 1;
  Progress progress;
  const TestReport all = run(contract, executor, Tier::kCi);
  for (const Tier tier : {Tier::kSmoke, Tier::kCi}) {
    request.tier = tier;
    const auto report = run_tests(request, progress);
    ASSERT_TRUE(report.ok()) << report.error().to_string();
    EXPECT_EQ(report->verdict, Verdict::kPassed) << report_text(*report);
    EXPECT_TRUE(report->coverage.missing.empty()) << report_text(*report);
    size_t ran = 0;
    for (const ProblemResult& result : report->results) {
      ran += result.ran ? 1 : 0;
      if (result.ran) {
        EXPECT_EQ(result.problem.column, 1u) << result.line;
      }
    }
    EXPECT_GT(ran, 50u);
    EXPECT_LT(report->results.size(), all.results.size() / 2 + 100);
    EXPECT_THAT(report_text(*report), HasSubstr("column T=float32 on "));
    EXPECT_THAT(report_json(*report), HasSubstr("\"column\": \"T=float32\""));
  }
}

// A failure shows what one would print next.
TEST(TestRun, FailuresShowTheirInputs) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor([](FakeCall& call) {
    add_relu(call);
    if (call.out().elements() > 4) call.out().set(4, 12345);
  });
  const TestReport report = run(contract, executor);
  ASSERT_FALSE(report.failures.empty());
  ASSERT_EQ(report.failures.front().inputs.size(), 2u) << report_text(report);
  EXPECT_EQ(report.failures.front().inputs[0].own, 4u);
  EXPECT_THAT(report_text(report),
              testing::AllOf(HasSubstr("    input:     x["), HasSubstr("      z[4] got 1234")));
  EXPECT_THAT(report_json(report), HasSubstr("\"own\": 4"));
}

// A part of a run has no verdict, in whatever form it is told.
TEST(TestRun, AnInterruptedRunHasNoVerdict) {
  struct Cancelling : Progress {
    void finished(size_t, const ProblemResult&) override { ++done; }
    bool cancelled() override { return done >= 20; }
    size_t done = 0;
  };
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  Cancelling progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_TRUE(report->interrupted);
  EXPECT_EQ(report->results.size(), 20u);
  EXPECT_EQ(report->planned - report->not_run, 20u);
  const std::string text = report_text(*report);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("INTERRUPTED"), HasSubstr("this is no verdict"),
                                   testing::Not(HasSubstr(": PASSED"))));
  EXPECT_THAT(report_json(*report), HasSubstr("\"verdict\": null"));
  EXPECT_THAT(report_junit(*report), HasSubstr("errors=\"1\""));
  EXPECT_THAT(report_html(*report, contract), HasSubstr(">INTERRUPTED<"));
}

// A run that failures end says what it left out.
TEST(TestRun, TellsWhereItStopped) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor([](FakeCall& call) { call.out().set(0, 12345); });
  const TestReport report = run(contract, executor);
  EXPECT_EQ(report.verdict, Verdict::kFailed);
  EXPECT_GT(report.not_run, 0u);
  EXPECT_THAT(report_text(report), HasSubstr("stopped after 20 failures: "));
}

// What decides nothing and cannot be acted on is not put as a failure.
TEST(TestRun, APassedRunDoesNotSoundLikeAFailure) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  const std::string text = report_text(run(contract, executor));
  EXPECT_THAT(text, testing::Not(HasSubstr("fails somewhere")));
  EXPECT_THAT(text, testing::Not(testing::ContainsRegex("e\\+[0-9]+ ulps")));
}

TestRequest request_for(const OpContract& contract, Executor& executor) {
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  return request;
}

TEST(TestRun, ResultsThatAreInfiniteAloneAreSaid) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor([](FakeCall& call) {
    add_relu(call);
    call.out().set(0, INFINITY);
  });
  EXPECT_THAT(report_text(run(contract, executor)),
              HasSubstr("outputs with NaN or infinities where the ideal has none"));
}

std::filesystem::path scratch(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("opkit_" + name);
  std::filesystem::remove_all(folder);
  return folder;
}

TEST(TestRun, SecondRunResumes) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  TestRequest request = request_for(contract, executor);
  request.tier = Tier::kSmoke;
  request.results = scratch("resume");
  request.resume = true;
  Progress progress;
  const auto first = run_tests(request, progress);
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  const int runs = executor.runs;
  const auto second = run_tests(request, progress);
  ASSERT_TRUE(second.ok()) << second.error().to_string();
  EXPECT_EQ(second->verdict, Verdict::kPassed) << report_text(*second);
  EXPECT_GT(second->resumed, 100);
  EXPECT_LT(executor.runs - runs, runs / 2);
}

TEST(TestRun, PastFailuresComeFirstUntilTheyPass) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor wrong([](FakeCall& call) {
    add_relu(call);
    if (call.out().elements() == 7) call.out().set(6, 99);
  });
  FakeExecutor right(add_relu);
  TestRequest request = request_for(contract, wrong);
  request.tier = Tier::kSmoke;
  request.results = scratch("past");
  Progress progress;
  const auto failed = run_tests(request, progress);
  ASSERT_TRUE(failed.ok());
  ASSERT_EQ(failed->verdict, Verdict::kFailed);
  const Failure& failure = failed->failures.front();
  EXPECT_EQ(failure.smallest.problem.symbols.lists.at("S"), std::vector<int64_t>{7});

  const auto text = read_file(failure.capsule);
  ASSERT_TRUE(text.ok()) << text.error().to_string();
  const auto capsule = read_capsule(*text);
  ASSERT_TRUE(capsule.ok()) << capsule.error().to_string();
  const auto same = replay(*capsule, wrong);
  ASSERT_TRUE(same.ok()) << same.error().to_string();
  EXPECT_TRUE(same->same_inputs && same->same_outputs && same->same_verdict) << same->to_string();
  const auto mended = replay(*capsule, right);
  ASSERT_TRUE(mended.ok());
  EXPECT_THAT(mended->to_string(), HasSubstr("the outputs have other bits"));
  EXPECT_EQ(mended->result.verdict, Verdict::kPassed);

  request.executor = &right;
  const auto passed = run_tests(request, progress);
  ASSERT_TRUE(passed.ok());
  EXPECT_EQ(passed->results.front().origin, "past failure");
  EXPECT_EQ(passed->verdict, Verdict::kPassed) << report_text(*passed);
  const auto clean = run_tests(request, progress);
  EXPECT_NE(clean->results.front().origin, "past failure");
}

TEST(TestRun, ErrorInputsAreRefusedWithTheirCodes) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  const TestReport report = run(contract, executor);
  bool constraint = false, dtype = false;
  for (const ProblemResult& result : report.results) {
    constraint = constraint || (result.origin == "error C1" && result.code == "OPK-INFER-010");
    dtype = dtype || (result.origin == "error dtype x int8" && result.verdict == Verdict::kRefused);
  }
  EXPECT_TRUE(constraint);
  EXPECT_TRUE(dtype);
}

// An op whose result is zero whatever its inputs are.
std::string only_zeros() {
  std::string text = kAddRelu;
  text.replace(text.find("{op: Add, in: [x, y], out: sum}"), 31, "{op: Sub, in: [x, x], out: sum}");
  text.replace(text.find("{op: Relu, in: [sum], out: z}"), 29, "{op: Mul, in: [sum, y], out: z}");
  text.replace(text.find("soc:"), 4, "numeric: {nan: unspecified}\nsoc:");
  return text;
}

void write_zeros(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, 0);
}

TEST(TestRun, TrivialOpsAreMistrusted) {
  const OpContract contract = contract_of(only_zeros());
  FakeExecutor executor(write_zeros);
  const TestReport report = run(contract, executor);
  EXPECT_EQ(report.verdict, Verdict::kMistrusted) << report_text(report);
  EXPECT_THAT(report.reason, HasSubstr("a kernel that writes zeros would pass"));
}

TEST(TestRun, AMistrustedRunStaysMistrustedWhenItResumes) {
  const OpContract contract = contract_of(only_zeros());
  FakeExecutor executor(write_zeros);
  TestRequest request = request_for(contract, executor);
  request.tier = Tier::kSmoke;
  request.results = scratch("mistrusted");
  request.resume = true;
  Progress progress;
  const auto first = run_tests(request, progress);
  const int runs = executor.runs;
  const auto second = run_tests(request, progress);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->verdict, Verdict::kMistrusted);
  EXPECT_EQ(second->verdict, Verdict::kMistrusted);
  EXPECT_EQ(second->counts, first->counts);
  EXPECT_EQ(second->notes, first->notes);
  const auto of_problems = [](const TestReport& report) {
    return std::count_if(report.results.begin(), report.results.end(), [](const auto& result) {
      return result.origin.rfind("error ", 0) != 0 &&
             (result.verdict == Verdict::kPassed || result.verdict == Verdict::kMistrusted);
    });
  };
  EXPECT_EQ(second->resumed, of_problems(*first));
  EXPECT_LT(executor.runs - runs, runs / 2);
  for (size_t i = 0; i < first->results.size(); ++i) {
    EXPECT_EQ(second->results[i].reason, first->results[i].reason);
    EXPECT_EQ(second->results[i].output_digest, first->results[i].output_digest);
    ASSERT_EQ(second->results[i].outputs.size(), first->results[i].outputs.size());
  }
}

TEST(TestRun, TilingKeysThatNobodyReachesFail) {
  std::string text = kAddRelu;
  text += "kernel: {entry: add_relu, task_type: aiv_only, tiling_keys: [0, 7]}\n";
  const OpContract contract = contract_of(text);
  FakeExecutor executor(add_relu);
  const TestReport report = run(contract, executor);
  EXPECT_EQ(report.verdict, Verdict::kFailed);
  EXPECT_EQ(report.reason, "no problem reached tiling key 7");
}

TEST(TestRun, ReportsAreWellFormed) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor([](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, 1);
  });
  const TestReport report = run(contract, executor);
  EXPECT_THAT(report_text(report), HasSubstr("reproduce: opkit test AddRelu --t T="));
  EXPECT_THAT(report_json(report), HasSubstr("\"verdict\": \"FAILED\""));
  EXPECT_THAT(report_junit(report), HasSubstr("<failure message=\"FAILED: z: "));
}

TEST(TestRun, RefusesBadRequests) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  Progress progress;
  TestRequest request = request_for(contract, executor);
  request.shard = 3;
  EXPECT_EQ(run_tests(request, progress).error().code, "OPK-VERIFY-012");
  request.shard = 0;
  request.results = "/proc/nowhere";
  EXPECT_EQ(run_tests(request, progress).error().code, "OPK-VERIFY-040");
  EXPECT_EQ(read_capsule("{}").error().code, "OPK-VERIFY-041");
  EXPECT_EQ(read_capsule("[1").error().code, "OPK-VERIFY-041");
  Problem huge;
  huge.soc = "Ascend910B1";
  huge.symbols.lists["S"] = {int64_t{1} << 30};
  EXPECT_EQ(make_inputs(contract, huge).error().code, "OPK-VERIFY-011");
}

}  // namespace
}  // namespace opkit::verify
