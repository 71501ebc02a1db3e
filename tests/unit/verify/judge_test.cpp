// Each verdict of a single problem, with its code.
#include "opkit/verify/judge.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "fake_executor.h"
#include "opkit/verify/error_inputs.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kTwice = R"(
op: Twice
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N", format: ND}
outputs:
  y: {dtype: T, shape: "N", format: ND}
types: {T: [float32]}
where: {C1: "N <= 4096"}
reference:
  - {op: Add, in: [x, x], out: y}
soc: [Ascend910B]
)";

OpContract contract_of(std::string text, const std::string& from = "", const std::string& to = "") {
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return OpContract::parse(text, "op_contract.yaml").value();
}

Problem problem_of(int64_t n, DataClass data = DataClass::kUniform) {
  Problem problem;
  problem.soc = "Ascend910B1";
  problem.symbols.dims["N"] = n;
  problem.data = data;
  return problem;
}

void twice(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, 2 * call.in(0).at(i));
}

ProblemResult judged(const FakeExecutor::Kernel& kernel, const OpContract& contract,
                     const Problem& problem = problem_of(200)) {
  FakeExecutor executor(kernel);
  return judge(contract, executor, problem);
}

TEST(Judge, PassesARightKernel) {
  EXPECT_EQ(judged(twice, contract_of(kTwice)).verdict, Verdict::kPassed);
}

TEST(Judge, AKernelMustNotChangeItsInput) {
  const auto result = judged(
      [](FakeCall& call) {
        twice(call);
        call.in(0).set(0, 5);
      },
      contract_of(kTwice));
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-020");
  EXPECT_THAT(result.reason, HasSubstr("changed its input x"));
}

TEST(Judge, RunsMustAgree) {
  const auto result = judged(
      [calls = 0](FakeCall& call) mutable {
        twice(call);
        if (++calls > 1) call.out().set(3, 1e-3 * calls);
      },
      contract_of(kTwice));
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-021");
}

TEST(Judge, WrongValuesFail) {
  const auto result = judged(
      [](FakeCall& call) {
        twice(call);
        call.out().set(7, 3);
      },
      contract_of(kTwice));
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-022");
  EXPECT_THAT(result.reason, HasSubstr("y"));
}

// The shape is left to the author, so that only the reference knows how many elements there are.
TEST(Judge, TheReferenceSaysHowManyElements) {
  class Short : public FakeExecutor {
   public:
    Short() : FakeExecutor(twice) {}
    Result<Execution> run(Invocation invocation) override {
      const OpContract known = contract_of(kTwice);
      const OpContract* asked = std::exchange(invocation.contract, &known);
      auto execution = FakeExecutor::run(std::move(invocation));
      (void)asked;
      if (execution.ok()) execution->outputs[0][0] = Tensor(DType::kFloat32, Shape{3}, "y");
      return execution;
    }
  };
  const OpContract contract = contract_of(kTwice, R"(y: {dtype: T, shape: "N", format: ND})",
                                          "y: {dtype: T, shape: opaque, format: ND}");
  Short executor;
  const auto result = judge(contract, executor, problem_of(200));
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-023") << result.reason;
}

// As many elements in another shape, or of another type, are another result.
// The contract is refused before anything is judged by it.
TEST(Judge, TheReferenceSaysWhichShapeAndType) {
  const auto flat = OpContract::parse(R"yaml(
op: Copy
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "S.."}
outputs:
  y: {dtype: float32, shape: "prod(S)"}
reference:
  - {op: Add, in: [x, x], out: y}
)yaml",
                                      "c.yaml");
  ASSERT_FALSE(flat.ok());
  EXPECT_THAT(flat.error().to_string(), HasSubstr("the reference gives y"));
}

TEST(Judge, MoreDistinctElementsThanValuesAreSkipped) {
  const OpContract contract = contract_of(R"yaml(
op: Take
version: "1.0.0"
inputs:
  x: {dtype: int8, shape: "N", elements: permutation}
outputs:
  y: {dtype: int8, shape: "N"}
reference:
  - {op: Identity, in: [x], out: y}
)yaml");
  const auto result = judged([](FakeCall&) {}, contract, problem_of(200));
  EXPECT_EQ(result.verdict, Verdict::kSkipped);
  EXPECT_EQ(result.code, "OPK-VERIFY-013");
}

TEST(Judge, MistrustsWhatATrivialKernelPasses) {
  const OpContract contract =
      contract_of(kTwice, "{op: Add, in: [x, x], out: y}", "{op: Sub, in: [x, x], out: y}");
  const auto result = judged(
      [](FakeCall& call) {
        for (int64_t i = 0; i < call.out().elements(); ++i)
          call.out().set(i, call.in(0).at(i) - call.in(0).at(i));
      },
      contract);
  EXPECT_EQ(result.verdict, Verdict::kMistrusted) << result.reason;
  EXPECT_EQ(result.code, "OPK-VERIFY-024");
}

// y is x - 2 by way of sums that float16 rounds to a multiple of 8: unless the contract says that
// the kernel is better than that, nearly anything would pass.
TEST(Judge, MistrustsABoundWiderThanTheResults) {
  const char* text = R"yaml(
op: Lossy
version: "1.0.0"
inputs:
  x: {dtype: float16, shape: "N", values: [1, 3]}
outputs:
  y: {dtype: float16, shape: "N"}
reference:
  - {op: Add, in: [x, {const: 8192}], out: up}
  - {op: Sub, in: [up, {const: 8192}], out: down}
  - {op: Sub, in: [down, {const: 2}], out: y}
)yaml";
  const auto kernel = [](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, call.in(0).at(i) - 2);
  };
  const auto narrow = judged(kernel, contract_of(text));
  EXPECT_EQ(narrow.verdict, Verdict::kMistrusted) << narrow.reason;
  EXPECT_EQ(narrow.code, "OPK-VERIFY-025");
  EXPECT_THAT(narrow.reason, HasSubstr("state numeric: {accumulate: float32}"));
  const auto wide =
      judged(kernel, contract_of(std::string(text) + "numeric: {accumulate: float32}\n"));
  EXPECT_EQ(wide.verdict, Verdict::kPassed) << wide.reason;
}

// y = a * b - c * d, where every product of data near overflow is an infinity: where two of one
// sign meet, everything is right; where they differ, that infinity alone.
constexpr const char* kProducts = R"yaml(
op: Products
version: "1.0.0"
inputs:
  a: {dtype: float32, shape: "N"}
  b: {dtype: float32, shape: "N"}
  c: {dtype: float32, shape: "N"}
  d: {dtype: float32, shape: "N"}
outputs:
  y: {dtype: float32, shape: "N"}
reference:
  - {op: Mul, in: [a, b], out: ab}
  - {op: Mul, in: [c, d], out: cd}
  - {op: Sub, in: [ab, cd], out: y}
numeric: {accumulate: float32}
)yaml";

void products(FakeCall& call) {
  const auto product = [&](size_t p, int64_t i) {
    return static_cast<float>(call.in(p).at(i)) * static_cast<float>(call.in(p + 1).at(i));
  };
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, product(0, i) - product(2, i));
}

void clamped_products(FakeCall& call) {
  products(call);
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, std::clamp(call.out().at(i), -kLargest, kLargest));
}

TEST(Judge, InfinitiesThatMeetAreNoReasonToMistrust) {
  const OpContract contract = contract_of(kProducts);
  Problem problem = problem_of(200, DataClass::kNearOverflow);
  for (problem.seed = 1; problem.seed <= 8; ++problem.seed) {
    const auto right = judged(products, contract, problem);
    EXPECT_EQ(right.verdict, Verdict::kPassed) << right.reason;
    EXPECT_GT(right.outputs.at(0).unbounded, 50);
    EXPECT_EQ(judged(clamped_products, contract, problem).code, "OPK-VERIFY-022");
  }
}

TEST(Judge, TheKeyMustBeListed) {
  const OpContract contract = contract_of(
      std::string(kTwice) + "kernel: {entry: twice, task_type: aiv_only, tiling_keys: [7]}\n");
  const auto result = judged(twice, contract);
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_EQ(result.code, "OPK-VERIFY-026");
  EXPECT_THAT(result.reason, HasSubstr("does not list (7)"));
}

// Takes every call, legal or not.
class TakesAll : public Executor {
 public:
  Result<Execution> run(Invocation invocation) override {
    Execution execution;
    execution.inputs = std::move(invocation.inputs);
    execution.outputs = execution.inputs;
    return execution;
  }
  std::string digest() const override { return "takes all"; }
};

TEST(Judge, IllegalCallsMustBeRefused) {
  const OpContract contract = contract_of(kTwice);
  TakesAll executor;
  bool constraint = false, dtype = false;
  for (const ProblemResult& result : judge_error_inputs(contract, executor, "Ascend910B1", 1)) {
    constraint = constraint || (result.code == "OPK-VERIFY-030" &&
                                result.reason == "a call that breaks C1 was accepted");
    dtype = dtype || (result.code == "OPK-VERIFY-031" && result.verdict == Verdict::kFailed);
  }
  EXPECT_TRUE(constraint);
  EXPECT_TRUE(dtype);
}

// Refuses every call because its column is not clear.
class RefusesColumns : public TakesAll {
 public:
  Result<Execution> run(Invocation) override {
    Error error;
    error.code = "OPK-INFER-003";
    error.message = "fits several columns";
    return error;
  }
};

TEST(Judge, ACallWithoutTensorsHasNoColumn) {
  const char* joined = R"yaml(
op: Joined
version: "1.0.0"
inputs:
  xs: {dtype: T, shape: "N[]", presence: dynamic}
outputs:
  y: {dtype: T, shape: "sum(N)"}
types: {T: [float16, float32]}
where: {C1: "count(xs) >= 1", C2: "sum(N) <= 100"}
reference: [{op: Concat, in: [xs], out: y, attrs: {axis: 0}}]
)yaml";
  RefusesColumns executor;
  Verdict empty = Verdict::kSkipped, other = Verdict::kSkipped;
  for (const ProblemResult& result :
       judge_error_inputs(contract_of(joined), executor, "Ascend910B1", 1)) {
    if (result.origin == "error C1") empty = result.verdict;
    if (result.origin == "error C2") other = result.verdict;
  }
  EXPECT_EQ(empty, Verdict::kRefused);
  EXPECT_EQ(other, Verdict::kFailed);  // there is a tensor, which has a column
}

// No tensor breaks what only says where a list of dims ends.
TEST(Judge, ARuleThatTellsListsApartIsNotBroken) {
  const char* turned = R"yaml(
op: Turned
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "A.., B.."}
outputs:
  y: {dtype: T, shape: "A.., B.."}
types: {T: [float16, float32]}
attrs: {axis: {type: int, default: 1, range: [0, 7]}}
where: {C1: "rank(A) == axis", C2: "rank(B) <= 3"}
reference: [{op: Identity, in: [x], out: y}]
)yaml";
  RefusesColumns executor;
  std::map<std::string, Verdict> verdicts;
  for (const ProblemResult& result :
       judge_error_inputs(contract_of(turned), executor, "Ascend910B1", 1))
    verdicts[result.origin] = result.verdict;
  EXPECT_EQ(verdicts["error C1"], Verdict::kSkipped);
  EXPECT_EQ(verdicts["error C2"], Verdict::kFailed);  // tried, and refused with another code
}

TEST(Judge, WithoutAReferenceNothingIsJudged) {
  const OpContract contract =
      contract_of(kTwice, "reference:\n  - {op: Add, in: [x, x], out: y}",
                  "reference: {none: \"the formula is not written down yet\"}");
  const auto result = judged(twice, contract);
  EXPECT_EQ(result.verdict, Verdict::kUnimplemented);
  EXPECT_EQ(result.code, "OPK-VERIFY-001");
}

}  // namespace
}  // namespace opkit::verify
