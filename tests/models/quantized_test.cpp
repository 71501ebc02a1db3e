// Quantised models: kernels of int8 from one QuantizeLinear to the next, on the emulated chip, at
// most one step from what the model's operators say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model_test.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

using testing::HasSubstr;

class Quantized : public ModelTest {
 protected:
  bool has_ops() const {
    return ops_ && ops_->find("QuantConvRequant") != nullptr &&
           ops_->find("QuantConvAddRequant") != nullptr && ops_->find("MaxPoolImages") != nullptr;
  }
};

std::string numbers(std::mt19937& random, size_t count, int most) {
  std::uniform_int_distribution<int> number(-most, most);
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(number(random));
  return text;
}

// A convolution of int8 with a bias, quantised again: from `x` to `y`, floats of int8.
std::string conv(std::mt19937& random, const std::string& x, const std::string& y, size_t in,
                 size_t out, const std::string& act) {
  const std::string n = y + "_";
  return "const " + n + "w: int8[" + std::to_string(out) + ", " + std::to_string(in) +
         ", 3, 3] = " + numbers(random, out * in * 9, 127) + "\nconst " + n + "b: int32[" +
         std::to_string(out) + "] = " + numbers(random, out, 3000) + "\n" + n +
         "f = DequantizeLinear(" + n + "w, ws, n)\n" + n + "c = DequantizeLinear(" + n +
         "b, bs)\n" + n + "v = Conv(" + x + ", " + n + "f, " + n + "c) {pads=[1, 1, 1, 1]}\n" +
         (act.empty() ? n + "a = Identity(" + n + "v)\n" : n + "a = " + act + "(" + n + "v)\n") +
         n + "q = QuantizeLinear(" + n + "a, s, z)\n" + y + " = DequantizeLinear(" + n +
         "q, s, z)\n";
}

// Two convolutions beside a skip, as residual networks have them.
std::string residual(std::mt19937& random) {
  return "graph \"g\" opset 17\ninput x: float32[1, 8, 12, 12]\nconst s: float32[] = 0.04\n"
         "const z: int8[] = -5\nconst n: int8[] = 0\nconst ws: float32[] = 0.002\n"
         "const bs: float32[] = 0.00008\nq = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, "
         "z)\n" +
         conv(random, "d", "e", 8, 40, "Relu") +
         "m = MaxPool(e) {kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]}\n"
         "mq = QuantizeLinear(m, s, z)\nmd = DequantizeLinear(mq, s, z)\n" +
         conv(random, "md", "f", 40, 40, "") +
         "sum = Add(f, md)\nr = Relu(sum)\nrq = QuantizeLinear(r, s, z)\n"
         "y = DequantizeLinear(rq, s, z)\noutput y\n";
}

std::vector<std::string> kernels_of(const compile::Compiled& made) {
  std::vector<std::string> names;
  for (const size_t c : made.cover.chosen) {
    const compile::Candidate& candidate = made.candidates.all[c];
    if (candidate.taker != compile::Taker::kView) names.push_back(candidate.name());
  }
  return names;
}

TEST_P(Quantized, ResidualBlocksStayInWholeNumbers) {
  if (!has_ops()) GTEST_SKIP() << "run `make ops` first";
  std::mt19937 random(5);
  const std::string text = residual(random);
  auto graph = graph::parse_text(text);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_TRUE(reference::infer(*graph).ok());
  const compile::Compiled made = compiled(*graph);
  EXPECT_THAT(kernels_of(made),
              testing::UnorderedElementsAre("QuantizeLinear", "QuantConvRequant", "MaxPoolImages",
                                            "QuantConvAddRequant", "DequantizeLinear"))
      << compile::explain_text(made);
  const auto proof = compile::prove(made, *ops_);
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 8, 12, 12}, 4);
  const auto expected = reference::evaluate(*graph, {{"x", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const auto got = run(made, {*reference::to_tensor(x)});
  ASSERT_EQ(got.size(), 1u);
  const graph::RefTensor& wanted = expected->at("y");
  for (int64_t i = 0; i < wanted.elements(); ++i)
    EXPECT_LE(std::abs(got[0].at(i) - wanted[i]), 0.0401) << i;
}

TEST_P(Quantized, ChainsSayWhereTheyReturnToFloats) {
  if (!has_ops()) GTEST_SKIP() << "run `make ops` first";
  std::mt19937 random(6);
  std::string text = residual(random);
  text.replace(text.find("sum = Add(f, md)"), 16, "sum = Mul(f, md)");
  auto graph = graph::parse_text(text);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_TRUE(reference::infer(*graph).ok());
  const compile::Compiled made = compiled(*graph);
  EXPECT_THAT(compile::explain_text(made),
              HasSubstr("int8 declines: operator: no int8 kernel computes Mul"));
  EXPECT_THAT(kernels_of(made), testing::Contains("QuantConvRequant").Times(2));
}

INSTANTIATE_TEST_SUITE_P(Chips, Quantized, ::testing::Values("Ascend910B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
