// Golden files beside `reference: {none: ...}`.
#include "opkit/verify/golden.h"

#include <gmock/gmock.h>

#include "fake_executor.h"
#include "opkit/base/npz.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kScale = R"yaml(
op: Scale
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N"}
outputs:
  y: {dtype: T, shape: "N"}
types: {T: [float16, float32]}
attrs:
  factor: {type: float, default: 2.0}
where: {C1: "N <= 64"}
reference: {none: "an example", golden: [scale.npz]}
soc: [Ascend910B]
)yaml";

Tensor tensor_of(const char* name, DType dtype, const std::vector<double>& values,
                 bool scalar = false) {
  Tensor tensor(dtype,
                scalar ? Shape(std::vector<int64_t>{}) : Shape{static_cast<int64_t>(values.size())},
                name);
  for (size_t i = 0; i < values.size(); ++i) tensor.set(static_cast<int64_t>(i), values[i]);
  return tensor;
}

void scale(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, call.in(0).at(i) * call.attr("factor"));
}

class Golden : public testing::Test {
 protected:
  // A folder per test: tests run side by side.
  Golden()
      : folder_(std::filesystem::path(testing::TempDir()) / "opkit_golden" /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
    auto parsed = OpContract::parse(kScale, "c.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    contract_ = std::move(parsed).value();
  }

  ProblemResult judged(const std::vector<Tensor>& tensors, const FakeExecutor::Kernel& kernel) {
    EXPECT_TRUE(save_npz(folder_ / "scale.npz", tensors).ok());
    FakeExecutor executor(kernel);
    return judge_golden(contract_, executor, "Ascend910B1", folder_ / "scale.npz");
  }

  std::filesystem::path folder_;
  OpContract contract_;
};

TEST_F(Golden, ExpectedValuesAreCompared) {
  const std::vector<Tensor> right{tensor_of("x", DType::kFloat32, {1, 2, 3}),
                                  tensor_of("y", DType::kFloat64, {3, 6, 9}),
                                  tensor_of("factor", DType::kFloat64, {3}, true)};
  EXPECT_EQ(judged(right, scale).verdict, Verdict::kPassed);
  const ProblemResult wrong = judged(right, [](FakeCall& call) {
    scale(call);
    call.out().set(1, 7);
  });
  EXPECT_EQ(wrong.verdict, Verdict::kFailed);
  EXPECT_EQ(wrong.code, "OPK-VERIFY-022");
  EXPECT_THAT(wrong.reason, HasSubstr("at [1] got 7, expected 6"));
}

TEST_F(Golden, FilesMustFitTheContract) {
  const ProblemResult missing = judged({tensor_of("x", DType::kFloat32, {1})}, scale);
  EXPECT_EQ(missing.verdict, Verdict::kFailed);
  EXPECT_EQ(missing.code, "OPK-VERIFY-080");
  EXPECT_THAT(missing.reason, HasSubstr("no array 'y'"));
  const ProblemResult more =
      judged({tensor_of("x", DType::kFloat32, {1}), tensor_of("y", DType::kFloat32, {2}),
              tensor_of("z", DType::kFloat32, {2})},
             scale);
  EXPECT_THAT(more.reason, HasSubstr("'z', which is no input"));
  const ProblemResult longer = judged(
      {tensor_of("x", DType::kFloat32, {1}), tensor_of("y", DType::kFloat32, {2, 2})}, scale);
  EXPECT_EQ(longer.code, "OPK-VERIFY-023");
}

// An op with nothing but a golden file passes or fails by it.
TEST_F(Golden, ARunJudgesThem) {
  EXPECT_TRUE(
      save_npz(folder_ / "scale.npz", std::vector<Tensor>{tensor_of("x", DType::kFloat32, {1, 2}),
                                                          tensor_of("y", DType::kFloat32, {2, 4})})
          .ok());
  const auto verdict = [&](const FakeExecutor::Kernel& kernel,
                           const std::filesystem::path& folder) {
    FakeExecutor executor(kernel);
    TestRequest request;
    request.contract = &contract_;
    request.executor = &executor;
    request.tier = Tier::kSmoke;
    request.folder = folder;
    Progress progress;
    return run_tests(request, progress).value().verdict;
  };
  EXPECT_EQ(verdict(scale, folder_), Verdict::kPassed);
  EXPECT_EQ(verdict([](FakeCall& call) { call.out().set(0, 5); }, folder_), Verdict::kFailed);
  EXPECT_EQ(verdict(scale, folder_ / "nowhere"), Verdict::kUnimplemented);
}

}  // namespace
}  // namespace opkit::verify
