#include "opkit/verify/mutants/wrong_result.h"

#include <gmock/gmock.h>

#include "tests/unit/verify/fake_executor.h"

namespace opkit::verify {
namespace {

constexpr const char* kToInt8 = R"(
op: ToInt8
version: "1.0.0"
inputs:
  x: {dtype: float16, shape: "S..", format: ND}
outputs:
  y: {dtype: int8, shape: "S..", format: ND}
reference:
  - {op: Cast, in: [x], out: y, attrs: {to: int8}}
soc: [Ascend910B]
)";

WrongResult named(const std::vector<WrongResult>& list, const std::string& what) {
  for (const WrongResult& wrong : list) {
    if (wrong.what == what) return wrong;
  }
  ADD_FAILURE() << "no mistake is called " << what;
  return {};
}

TEST(WrongResult, Int8WrapsAtItsEndsOnly) {
  const auto contract = OpContract::parse(kToInt8, "op_contract.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  const WrongResult wrong =
      named(wrong_results(*contract), "int8 outputs wrap round in place of saturating");
  Execution execution;
  execution.outputs.push_back({});
  execution.outputs[0].emplace_back(DType::kInt8, Shape({5}), "y");
  Tensor& y = execution.outputs[0][0];
  const double before[] = {127, -128, 0, 126, -127}, after[] = {-128, 127, 0, 126, -127};
  for (int64_t i = 0; i < 5; ++i) y.set(i, before[i]);
  wrong.after(execution);
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(y.at(i), after[i]) << i;
}

}  // namespace
}  // namespace opkit::verify
