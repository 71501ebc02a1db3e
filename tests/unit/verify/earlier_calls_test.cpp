// An op that takes a call for an earlier one with as many elements: its failures need that call.
#include "opkit/verify/earlier_calls.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fake_executor.h"
#include "opkit/verify/test_run.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kFirstColumn = R"(
op: FirstColumn
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "M, N"}}
outputs: {z: {dtype: float32, shape: "M"}}
where: {C1: "1 <= M <= 64 and 1 <= N <= 64"}
reference: [{op: ReduceMax, in: [x, {const: [-1], dtype: int64}], out: z, attrs: {keepdims: 0}}]
soc: [Ascend910B]
tests: {shapes: [{M: 6, N: 4}, {M: 4, N: 6}]}
)";

// The columns of the first call with as many elements are kept.
class Remembering : public FakeExecutor {
 public:
  Remembering() : FakeExecutor([this](FakeCall& call) { largest(call); }) {}
  Result<SharedPlan> plan(const OpContract&, const std::string&, const CallFacts& facts) override {
    columns_of(facts.inputs[0][0].desc.shape);
    return Error("OPK-RUN-001", "no plan", "");
  }
  bool forget() override {
    known_.clear();
    return true;
  }

 private:
  int64_t columns_of(const Shape& shape) {
    return known_.try_emplace(shape.elements(), shape[1]).first->second;
  }
  void largest(FakeCall& call) {
    const int64_t columns = columns_of(call.in(0).shape());
    for (int64_t m = 0; m < call.out().elements(); ++m) {
      const int64_t first = m * columns, end = std::min(first + columns, call.in(0).elements());
      double most = -INFINITY;
      for (int64_t i = first; i < end; ++i)
        most = std::isnan(most) || call.in(0).at(i) <= most ? most : call.in(0).at(i);
      call.out().set(m, most);
    }
  }

  std::map<int64_t, int64_t> known_;
};

TestReport report_of(const OpContract& contract, Executor& executor, const std::string& line = {},
                     const std::string& after = {}) {
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  request.line = line;
  request.after = after;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

TEST(EarlierCalls, AFailureThatPassesAloneComesWithTheCallThatItNeeds) {
  const OpContract contract = contract_of(kFirstColumn);
  Remembering executor;
  const TestReport report = report_of(contract, executor);
  ASSERT_EQ(report.verdict, Verdict::kFailed) << report_text(report);
  const Failure& failure = report.failures.front();
  EXPECT_THAT(failure.smallest.reason, HasSubstr("in a new worker this call passes, and fails when "
                                                 "the other call's tiling is asked for first"));
  EXPECT_THAT(failure.after, HasSubstr("--d M="));
  EXPECT_THAT(reproducing_line(failure), HasSubstr(" --after '--"));

  executor.forget();
  EXPECT_EQ(report_of(contract, executor, failure.smallest.line).verdict, Verdict::kPassed);
  executor.forget();
  EXPECT_EQ(report_of(contract, executor, failure.smallest.line, failure.after).verdict,
            Verdict::kFailed);
}

TEST(EarlierCalls, ACallBeforeMustBeLegal) {
  const OpContract contract = contract_of(kFirstColumn);
  Remembering executor;
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.line = "--d M=2,N=2";
  request.after = "--d M=2,N=2000";
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().to_string(), HasSubstr("the call that comes before"));
}

// Keeps the first calls of a long run, which what is computed once comes from, and the last ones.
TEST(EarlierCalls, TheFirstAndTheLastOnesAreRemembered) {
  AskedCalls asked;
  for (int64_t m = 0; m < 5000; ++m) {
    Problem problem;
    problem.symbols.dims["M"] = m;
    asked.add(problem);
  }
  const std::vector<const Problem*> all = asked.all();
  ASSERT_EQ(all.size(), 1024u);
  EXPECT_EQ(all.front()->symbols.dims.at("M"), 0);
  EXPECT_EQ(all[255]->symbols.dims.at("M"), 255);
  EXPECT_EQ(all[256]->symbols.dims.at("M"), 5000 - 768);
  EXPECT_EQ(all.back()->symbols.dims.at("M"), 4999);
}

// By itself an executor forgets nothing: then nothing is said.
TEST(EarlierCalls, NobodyPassesAloneWhereNothingCanBeForgotten) {
  FakeExecutor executor([](FakeCall&) {});
  const auto passed = [](const Problem&) { return ProblemResult{}; };
  EXPECT_FALSE(passes_alone(executor, Problem{}, passed));
}

}  // namespace
}  // namespace opkit::verify
