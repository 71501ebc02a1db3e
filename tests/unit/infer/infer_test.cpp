#include "opkit/infer/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "opkit/contract/scope.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

// A contract with these inputs, outputs and further fields, over T: [float16, float32].
OpContract contract_of(const std::string& inputs, const std::string& outputs,
                       const std::string& more = "") {
  const std::string text = "op: Probe\nversion: \"1.0.0\"\ninputs:\n" + inputs + "outputs:\n" +
                           outputs + "types: {T: [float16, float32]}\n" +
                           "reference: {none: \"only shapes matter here\"}\n" + more;
  auto contract = OpContract::parse(text, "probe.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string() << "\n" << text;
  return contract.ok() ? *contract : OpContract();
}

std::vector<PortFacts> facts_of(const OpContract& contract, const std::vector<std::string>& texts) {
  std::vector<TensorFacts> tensors;
  for (const std::string& text : texts) {
    if (text.empty()) {
      tensors.emplace_back();
      continue;
    }
    auto facts = TensorFacts::parse(text);
    EXPECT_TRUE(facts.ok()) << facts.error().to_string();
    tensors.push_back(*facts);
  }
  auto ports = arrange_inputs(contract, std::span<const TensorFacts>(tensors));
  EXPECT_TRUE(ports.ok());
  return *ports;
}

std::string inferred(const OpContract& contract, const std::vector<std::string>& inputs,
                     const AttrValues& attrs = {}) {
  const auto ports = facts_of(contract, inputs);
  const auto outputs = infer(contract, std::span<const PortFacts>(ports), attrs);
  if (!outputs.ok()) return outputs.error().to_string();
  std::string text;
  for (const PortFacts& port : *outputs) {
    for (const TensorFacts& tensor : port) text += (text.empty() ? "" : "; ") + tensor.to_string();
  }
  return text;
}

const char* kMatMulInputs =
    "  x: {dtype: T, shape: \"B.., M, K\"}\n  w: {dtype: T, shape: \"K, N\"}\n";
const char* kMatMulOutputs = "  y: {dtype: T, shape: \"B.., M, N\"}\n";
const char* kMatMulWhere = "where: {C1: \"1 <= K <= 65536\", C2: \"N % 16 == 0\"}\n";

TEST(Infer, StaticDims) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  EXPECT_EQ(inferred(op, {"float16 [2, 3, 32, 128]", "float16 [128, 256]"}),
            "y: float16 [2, 3, 32, 256] ND");
  EXPECT_EQ(inferred(op, {"float32 [32, 128]", "float32 [128, 256]"}), "y: float32 [32, 256] ND");
}

TEST(Infer, UnknownAndRangedDims) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  EXPECT_EQ(inferred(op, {"float16 [?, 1..64, 128]", "float16 [128, ?]"}),
            "y: float16 [?, 1..64, ?] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]", "float16 [128, 256]"}), "y: float16 [...] ND");
}

TEST(Infer, OneInputsFactsCompleteAnothers) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"M, N\"}\n  y: {dtype: T, shape: \"M, N\"}\n",
                  "  z: {dtype: T, shape: \"M, N\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [?, 8]", "float16 [4, ?]"}), "z: float16 [4, 8] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]", "float16 [4, 2..8]"}), "z: float16 [4, 2..8] ND");
}

}  // namespace
}  // namespace opkit
