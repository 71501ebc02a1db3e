// Outputs of a call against what its reference allows, whole and in parts.
#include "opkit/oracle/compare_call.h"

#include <gtest/gtest.h>

#include <string>

namespace opkit::oracle {
namespace {

OpContract contract_with(const std::string& reference) {
  auto contract = OpContract::parse(
      "op: Probe\nversion: \"1.0.0\"\n"
      "inputs:\n  x: {dtype: T, shape: \"R, C\", format: ND}\n"
      "outputs:\n  y: {dtype: T, shape: \"R, C\", format: ND}\n"
      "types: {T: [float32]}\nreference:\n" +
          reference + "soc: [Ascend910B]\n",
      "probe.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  return *contract;
}

struct Probe {
  explicit Probe(std::string reference, Shape shape)
      : contract(contract_with(reference)),
        inputs{{Tensor(DType::kFloat32, shape, "x")}},
        outputs{{Tensor(DType::kFloat32, shape, "y")}} {
    for (int64_t i = 0; i < shape.elements(); ++i) {
      inputs[0][0].set(i, static_cast<double>(i % 7) - 3);
      outputs[0][0].set(i, std::max(0.0, static_cast<double>(i % 7) - 3));
    }
  }
  Result<std::vector<Comparison>> compare() const {
    OracleCall call{&contract, &inputs, {}, {}, 0};
    const Shape& shape = inputs[0][0].shape();
    call.symbols.dims = {{"R", shape[0]}, {"C", shape[1]}};
    return compare_call(call, outputs);
  }

  OpContract contract;
  std::vector<std::vector<Tensor>> inputs, outputs;
};

constexpr const char* kRelu = "  - {op: Relu, in: [x], out: y}\n";

TEST(CompareCall, CountsWrongElements) {
  Probe probe(kRelu, Shape{3, 5});
  auto compared = probe.compare();
  ASSERT_TRUE(compared.ok()) << compared.error().to_string();
  ASSERT_EQ(compared->size(), 1u);
  EXPECT_TRUE((*compared)[0].ok());
  probe.outputs[0][0].set(4, 9);
  probe.outputs[0][0].set(14, -1);
  compared = probe.compare();
  ASSERT_TRUE(compared.ok());
  EXPECT_EQ((*compared)[0].wrong, 2);
  EXPECT_EQ((*compared)[0].elements, 15);
}

TEST(CompareCall, LargeTensorsAreJudgedInParts) {
  Probe probe(kRelu, Shape{2100, 2048});
  const int64_t last = probe.outputs[0][0].elements() - 1;
  probe.outputs[0][0].set(0, 9);
  probe.outputs[0][0].set(last, 9);
  const auto compared = probe.compare();
  ASSERT_TRUE(compared.ok()) << compared.error().to_string();
  EXPECT_EQ((*compared)[0].wrong, 2);
  EXPECT_EQ((*compared)[0].elements, last + 1);
}

TEST(CompareCall, RefusesWhatTheReferenceDoesNotCompute) {
  Probe probe(kRelu, Shape{3, 5});
  probe.outputs[0][0] = Tensor(DType::kFloat32, Shape{5, 3}, "y");
  const auto compared = probe.compare();
  ASSERT_FALSE(compared.ok());
  EXPECT_EQ(compared.error().code, "OPK-VERIFY-023");
}

}  // namespace
}  // namespace opkit::oracle
