// The form of quantised models in whole numbers: on data, beside the model.
#include "opkit/rewrite/passes/quantized_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "opkit/reference/evaluate.h"
#include "quantized_texts.h"

namespace opkit::passes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

// Numbers whose whole ones lie all over int8.
graph::RefTensor drawn(const graph::Graph& model, const std::string& name) {
  const graph::ValueInfo& value = model.values.at(name);
  graph::RefTensor tensor{value.dtype, *value.shape, {}};
  for (int64_t i = 0; i < value.shape->elements(); ++i)
    tensor.values.push_back(static_cast<double>(i * 37 % 101 - 50) / 13);
  return tensor;
}

// The form evaluated on the model's whole numbers, beside the model.
void expect_form(const std::string& text) {
  graph::Graph model = parsed(text);
  ASSERT_TRUE(canonicalize(model, unfolding_rewrites()).ok());
  const auto form = quantized_form(model);
  ASSERT_TRUE(form.ok()) << form.error().to_string();
  ASSERT_THAT(form->graph.nodes, Not(IsEmpty())) << to_text(model);
  EXPECT_THAT(form->reasons, IsEmpty());
  graph::Graph watched = model;
  watched.outputs = form->graph.outputs;
  for (const std::string& input : form->graph.inputs) watched.outputs.push_back(input);
  const auto values = reference::evaluate(watched, {{"x", drawn(model, "x")}});
  ASSERT_TRUE(values.ok()) << values.error().to_string();
  reference::NamedTensors inputs;
  for (const std::string& input : form->graph.inputs) inputs[input] = values->at(input);
  const auto got = reference::evaluate(form->graph, inputs);
  ASSERT_TRUE(got.ok()) << got.error().to_string() << to_text(form->graph);
  for (const std::string& output : form->graph.outputs) {
    const graph::RefTensor &a = got->at(output), &b = values->at(output);
    ASSERT_EQ(a.shape, b.shape);
    ASSERT_EQ(a.dtype, DType::kInt8);
    for (int64_t i = 0; i < a.elements(); ++i)
      EXPECT_LE(std::abs(a[i] - b[i]), 1) << output << " " << i;
  }
}

TEST(QuantizedForm, HoldsConvolutions) {
  const std::string begin = kWhole + kWeights;
  for (const std::string act : {"r = Relu(v)\n", "r = Sigmoid(v)\n", "r = Tanh(v)\n",
                                "g = Sigmoid(v)\nr = Mul(v, g)\n", "r = Identity(v)\n"}) {
    expect_form(begin + "v = Conv(d, f, c) {pads=[0, 1, 1, 0], strides=[2, 1]}\n" + act +
                "p = QuantizeLinear(r, t, z)\ny = DequantizeLinear(p, t, z)\noutput y\n");
  }
}

TEST(QuantizedForm, HoldsProductsAndSums) {
  const std::string begin =
      "input x: float32[4, 3]\n" + kSteps +
      "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, z)\n"
      "const w: int8[3, 2] = 1, 2, -5, 25, 4, -1\nconst ws: float32[2] = 0.5, 0.25\n"
      "const wz: int8[2] = 0, 0\nf = DequantizeLinear(w, ws, wz) {axis=1}\n"
      "const b: float32[2] = 0.5, -0.25\n";
  const std::string end = "p = QuantizeLinear(r, t, z)\ny = DequantizeLinear(p, t, z)\noutput y\n";
  expect_form(begin + "m = MatMul(d, f)\nr = Add(m, b)\n" + end);
  expect_form(begin + "m = MatMul(d, f)\na = Add(b, m)\nr = Relu(a)\n" + end);
  expect_form(begin + "r = Gemm(d, f, b) {beta=0.5}\n" + end);
  expect_form(begin + "h = Transpose(f) {perm=[1, 0]}\nr = Gemm(d, h, b) {transB=1}\n" + end);
  // A Gelu of one node, and one as exporters without it write it.
  for (const std::string act :
       {"r = Gelu(a)\n", "r = Gelu(a) {approximate=\"tanh\"}\n",
        "const h: float32[] = 0.5\nconst o: float32[] = 1\nconst root: float32[] = 1.41421356\n"
        "u = Div(a, root)\ne = Erf(u)\ng = Add(e, o)\nk = Mul(a, g)\nr = Mul(k, h)\n"})
    expect_form(begin + "m = MatMul(d, f)\na = Add(m, b)\n" + act + end);
  expect_form(kWhole +
              "k = Tanh(x)\np = QuantizeLinear(k, t, n)\ne = DequantizeLinear(p, t, n)\n"
              "a = Add(d, e)\nr = Relu(a)\no1 = QuantizeLinear(r, t, z)\n"
              "y = DequantizeLinear(o1, t, z)\noutput y\n");
}

// What nothing quantises ends as the float16 that the model has when it computes in it.
void expect_halves(const std::string& text, const std::string& value) {
  graph::Graph model = parsed(text);
  ASSERT_TRUE(canonicalize(model, unfolding_rewrites()).ok());
  const auto form = quantized_form(model);
  ASSERT_TRUE(form.ok()) << form.error().to_string();
  ASSERT_THAT(form->graph.outputs, ElementsAre(value + "/float16")) << to_text(model);
  EXPECT_THAT(form->reasons, SizeIs(1));
  model.outputs = {value, form->graph.inputs.at(0)};
  const auto values = reference::evaluate(model, {{"x", drawn(model, "x")}});
  ASSERT_TRUE(values.ok()) << values.error().to_string();
  const std::string& input = form->graph.inputs[0];
  const auto got = reference::evaluate(form->graph, {{input, values->at(input)}});
  ASSERT_TRUE(got.ok()) << got.error().to_string() << to_text(form->graph);
  const graph::RefTensor &a = got->at(value + "/float16"), &b = values->at(value);
  ASSERT_EQ(a.shape, b.shape);
  ASSERT_EQ(a.dtype, DType::kFloat16);
  // The bias is rounded to steps of the sums, the result to eleven bits.
  for (int64_t i = 0; i < a.elements(); ++i)
    EXPECT_NEAR(a[i], b[i], std::abs(b[i]) * std::exp2(-11) + 0.0079) << i;
}

TEST(QuantizedForm, EndsInFloat16) {
  expect_halves(kWhole + kWeights + "y = Conv(d, f, c) {pads=[0, 1, 1, 0]}\noutput y\n", "y");
  expect_halves(kWhole + kWeights + "v = Conv(d, f, c)\nr = Relu(v)\ny = Elu(r)\noutput y\n", "r");
  expect_halves("input x: float32[4, 3]\n" + kSteps +
                    "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, z)\n"
                    "const w: int8[3, 2] = 1, 2, -5, 25, 4, -1\nf = DequantizeLinear(w, t, n)\n"
                    "const b: float32[2] = 0.5, -0.25\nm = MatMul(d, f)\nv = Add(m, b)\n"
                    "y = Elu(v)\noutput y\n",
                "v");
}

TEST(QuantizedForm, SaysWhatStaysInFloats) {
  const auto reasons = [](const std::string& text) {
    graph::Graph model = parsed(text);
    EXPECT_TRUE(canonicalize(model, unfolding_rewrites()).ok());
    auto form = quantized_form(model);
    EXPECT_TRUE(form.ok());
    for (const std::string& output : form->graph.outputs) EXPECT_TRUE(output.ends_with("/float16"));
    return form->reasons;
  };
  EXPECT_THAT(
      reasons(kWhole + kWeights + "y = Conv(d, f, c)\noutput y\n"),
      ElementsAre(Pair("y", HasSubstr("'y' is an output of the model, and no "
                                      "QuantizeLinear to int8 with one scale alone: its "
                                      "result is float16 where the model computes in it"))));
  EXPECT_THAT(reasons(kWhole + kWeights + "v = Conv(d, f, c)\ny = Elu(v)\noutput y\n"),
              ElementsAre(Pair("v", HasSubstr("'v' is read by Elu"))));
  EXPECT_THAT(
      reasons(kWhole + "const w: int8[3, 1, 1, 1] = 1, 2, 3\nf = DequantizeLinear(w, s, n)\n"
                       "v = Conv(d, f) {group=3}\nc = QuantizeLinear(v, s, z)\n"
                       "y = DequantizeLinear(c, s, z)\noutput y\n"),
      ElementsAre(Pair("v", HasSubstr("3 groups"))));
  // One number for each row is no bias of columns, however many there are.
  EXPECT_THAT(reasons("input x: float32[2, 3]\n" + kSteps +
                      "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, z)\n"
                      "const w: int8[3, 2] = 1, 2, 3, 4, 5, 6\nf = DequantizeLinear(w, s, n)\n"
                      "const c: float32[2, 1] = 1, 2\nv = Gemm(d, f, c)\n"
                      "p = QuantizeLinear(v, s, z)\ny = DequantizeLinear(p, s, z)\noutput y\n"),
              ElementsAre(Pair("v", HasSubstr("a number for every row"))));
  EXPECT_THAT(reasons(kWhole + "y = Sigmoid(d)\noutput y\n"),
              ElementsAre(Pair("y", HasSubstr("no int8 kernel computes Sigmoid"))));
  EXPECT_THAT(
      reasons(kWhole + "const w: int8[2, 3, 1, 1] = 1, 2, -5, 25, 4, -1\n"
                       "f = DequantizeLinear(w, s, z)\nv = Conv(d, f)\n"
                       "c = QuantizeLinear(v, s, z)\ny = DequantizeLinear(c, s, z)\noutput y\n"),
      ElementsAre(Pair("v", HasSubstr("zero point 3"))));
}

}  // namespace
}  // namespace opkit::passes
