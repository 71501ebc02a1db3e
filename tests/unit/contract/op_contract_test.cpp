#include "opkit/contract/op_contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit_test_paths.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLinearOp = R"(op: LinearAddGelu
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "M, K", format: ND}
  w:    {dtype: T, shape: "K, N", format: ND}
  bias: {dtype: T, shape: "N",    format: ND}
outputs:
  y:    {dtype: T, shape: "M, N", format: ND}
types: {T: [float16, float32]}
where:
  C1: "1 <= M and 1 <= N and 1 <= K <= 65536"
reference:
  - {op: MatMul, in: [x, w], out: t0}
  - {op: Add,    in: [t0, bias], out: t1}
  - {op: Gelu,   in: [t1], out: y, attrs: {approximate: tanh}}
numeric: {accumulate: float32, overflow: inf, nan: propagate}
soc: [Ascend310B, Ascend910B]
tests: {shapes: [{M: 32, K: 128, N: 256}, {M: 1, K: 1, N: 1}]}
bench: {shapes: [{M: 512, K: 768, N: 3072}]}
)";

OpContract parsed(const std::string& text) {
  auto contract = OpContract::parse(text, "c.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  return contract.ok() ? *contract : OpContract();
}

TEST(OpContract, ReadsTheDesignsSketch) {
  const OpContract contract = parsed(kLinearOp);
  EXPECT_EQ(contract.op, "LinearAddGelu");
  EXPECT_EQ(contract.version, "1.0.0");
  ASSERT_EQ(contract.inputs.size(), 3u);
  EXPECT_EQ(contract.inputs[1].shape.items[1].to_string(), "N");
  EXPECT_EQ(contract.column_count(), 2u);
  EXPECT_EQ(contract.column_name(1), "T=float32");
  EXPECT_EQ(contract.output("y")->dtypes[0], DType::kFloat16);
  EXPECT_EQ(contract.symbol("K")->bounds, (Range{1, 65536}));
  EXPECT_EQ(contract.symbol("M")->bounds, (Range{1, Range::kHighest}));
  ASSERT_EQ(contract.reference.size(), 3u);
  EXPECT_EQ(std::get<std::string>(*contract.reference[2].attrs.at("approximate").literal), "tanh");
  EXPECT_EQ(contract.tests[0].symbols.dims.at("K"), 128);
  EXPECT_EQ(contract.bench[0].symbols.dims.at("N"), 3072);
  EXPECT_EQ(contract.numeric.accumulate, DType::kFloat32);
}

TEST(OpContract, ReadsTheSampleOps) {
  for (const char* op : {"add_relu", "scale_relu_dropout"}) {
    const auto contract =
        OpContract::load(std::string(OPKIT_SOURCE_DIR "/ops/fused/") + op + "/op_contract.yaml");
    EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  }
}

}  // namespace
}  // namespace opkit
