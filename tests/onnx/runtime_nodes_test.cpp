// Operators of ONNX Runtime's own domain: the ones of ONNX that stand for them, and their values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "tests/onnx/model_text.h"

namespace opkit::onnx_frontend {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using V = std::vector<double>;

std::string scalar(const std::string& name, double value, int type = 1) {
  const std::string stored =
      type == 1 ? fmt::format("float_data: {}", value) : fmt::format("int32_data: {}", value);
  return fmt::format("initializer {{ name: \"{}\" data_type: {} {} }} ", name, type, stored);
}

std::string node(const std::string& op, const std::vector<std::string>& inputs,
                 const std::string& attributes = "") {
  std::string all = "node { op_type: \"" + op + "\" domain: \"com.microsoft\" name: \"own\" ";
  for (const std::string& input : inputs) all += "input: \"" + input + "\" ";
  return all + "output: \"y\" " + attributes + " } ";
}

// Returns a model of x and z, both uint8 [1, 1, 2, 2], with scales and zero points.
std::string quantised(const std::string& node, int opset = 13) {
  return model_of("input " + input("x", "1,1,2,2", 2) + "input " + input("z", "1,1,2,2", 2) +
                      "output " + input("y", "1,1,?,?", 2) + scalar("xs", 0.5) +
                      scalar("x0", 2, 2) + scalar("zs", 1) + scalar("z0", 0, 2) +
                      scalar("ys", 0.25) + scalar("y0", 10, 2) + node,
                  opset);
}

V values(const std::string& model) {
  auto graph = import_model(model);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  EXPECT_TRUE(reference::infer(*graph).ok());
  const graph::RefTensor x{DType::kUInt8, Shape{1, 1, 2, 2}, {2, 4, 6, 0}},
      z{DType::kUInt8, Shape{1, 1, 2, 2}, {1, 2, 3, 4}};
  const auto got = reference::evaluate(*graph, {{"x", x}, {"z", z}});
  EXPECT_TRUE(got.ok()) << got.error().to_string();
  return got.ok() ? got->at("y").values : V();
}

// x is 0, 1, 2, -1; z is 1, 2, 3, 4; y is 10 and four for each whole.
TEST(RuntimeNodes, QuantisedOnes) {
  const std::vector<std::string> x = {"x", "xs", "x0"}, y = {"ys", "y0"};
  const auto call = [&](const std::string& op, const std::string& attributes = "") {
    return values(quantised(node(op, {"x", "xs", "x0", "ys", "y0"}, attributes)));
  };
  const auto both = [&](const std::string& op) {
    return values(quantised(node(op, {"x", "xs", "x0", "z", "zs", "z0", "ys", "y0"})));
  };
  EXPECT_THAT(both("QLinearAdd"), ElementsAre(14, 22, 30, 22));
  EXPECT_THAT(both("QLinearMul"), ElementsAre(10, 18, 34, 0));
  EXPECT_THAT(call("QLinearGlobalAveragePool"), ElementsAre(12));
  EXPECT_THAT(
      call("QLinearAveragePool", "attribute { name: \"kernel_shape\" type: INTS ints: 1 ints: 2 }"),
      ElementsAre(12, 12));
  EXPECT_THAT(call("QLinearLeakyRelu", "attribute { name: \"alpha\" type: FLOAT f: 0.5 }"),
              ElementsAre(10, 14, 18, 8));
  EXPECT_THAT(call("QLinearSigmoid"), ElementsAre(12, 13, 14, 11));
  EXPECT_THAT(call("QLinearSoftmax",
                   "attribute { name: \"axis\" type: INT i: 3 } "
                   "attribute { name: \"opset\" type: INT i: 13 }"),
              ElementsAre(11, 13, 14, 10));
  EXPECT_THAT(values(quantised(node("QLinearConcat", {"ys", "y0", "x", "xs", "x0", "z", "zs", "z0"},
                                    "attribute { name: \"axis\" type: INT i: 2 }"))),
              ElementsAre(10, 14, 18, 6, 14, 18, 22, 26));
}

TEST(RuntimeNodes, QuantisedProducts) {
  const std::string matrix =
      "input " + input("x", "1,2", 2) + "output " + input("y", "1,2", 2) + scalar("xs", 0.5) +
      scalar("x0", 2, 2) + scalar("ws", 2) + scalar("w0", 0, 3) + scalar("ys", 0.25) +
      scalar("y0", 10, 2) +
      "initializer { name: \"w\" dims: 2 dims: 2 data_type: 3 int32_data: 1 int32_data: 2 "
      "int32_data: 3 int32_data: 4 } "
      "initializer { name: \"c\" dims: 2 data_type: 6 int32_data: 1 int32_data: -1 } ";
  const std::string model =
      model_of(matrix + node("QGemm", {"x", "xs", "x0", "w", "ws", "w0", "c", "ys", "y0"}));
  const auto graph = import_model(model);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const auto got =
      reference::evaluate(*graph, {{"x", graph::RefTensor{DType::kUInt8, Shape{1, 2}, {4, 2}}}});
  ASSERT_TRUE(got.ok()) << got.error().to_string();
  // x is 1, 0; w is 2, 4, 6, 8; c is 1, -1 in steps of 1.
  EXPECT_THAT(got->at("y").values, ElementsAre(22, 22));
}

std::string floats(const std::string& node, int opset = 17) {
  return model_of("input " + input("x", "1,4") + "input " + input("b", "4") + "output " +
                      input("y", "1,4") + node,
                  opset);
}

TEST(RuntimeNodes, FusedOnes) {
  const auto text = [](const std::string& model) {
    const auto graph = import_model(model);
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
    return graph.ok() ? graph::to_text(*graph) : "";
  };
  EXPECT_THAT(text(floats(node("Gelu", {"x"}))), HasSubstr("y = Gelu(x) @\"own\""));
  EXPECT_THAT(text(floats(node("BiasGelu", {"x", "b"}))),
              AllOf(HasSubstr("\"y/sum\" = Add(x, b)"), HasSubstr("y = Gelu(\"y/sum\")")));
  EXPECT_THAT(text(floats(node("FastGelu", {"x"}))),
              HasSubstr("y = Gelu(x) {approximate=\"tanh\"}"));
  EXPECT_THAT(text(floats(node("QuickGelu", {"x"}))),
              AllOf(HasSubstr("const \"y/alpha\": float32[] = 1.702"),
                    HasSubstr("y = Mul(x, \"y/gate\")")));
  EXPECT_THAT(text(floats(node("SkipLayerNormalization", {"x", "x", "b", "b", "b"},
                               "output: \"\" output: \"\" output: \"s\" "
                               "attribute { name: \"epsilon\" type: FLOAT f: 0.5 }"))),
              AllOf(HasSubstr("s = Add(\"y/sum\", b)"),
                    HasSubstr("y = LayerNormalization(s, b, b) {axis=-1, epsilon=0.5}")));
}

std::string convolution(const std::string& activation, const std::string& params = "") {
  return model_of(
      "input " + input("x", "1,1,4,4") + "input " + input("w", "1,1,1,1") + "output " +
      input("y", "1,1,4,4") +
      node("FusedConv", {"x", "w", "", "x"},
           "attribute { name: \"activation\" type: STRING s: \"" + activation + "\" } " + params));
}

TEST(RuntimeNodes, ConvolutionsWithWhatIsBehind) {
  const auto text = [](const std::string& model) {
    const auto graph = import_model(model);
    return graph.ok() ? graph::to_text(*graph) : graph.error().to_string();
  };
  EXPECT_THAT(text(convolution("Relu")),
              AllOf(HasSubstr("\"y/conv\" = Conv(x, w)"), HasSubstr("Add(\"y/conv\", x)"),
                    HasSubstr("y = Relu(\"y/sum\")")));
  const std::string bounds =
      "attribute { name: \"activation_params\" type: FLOATS floats: 0 floats: 6 }";
  EXPECT_THAT(text(convolution("Clip", bounds)),
              AllOf(HasSubstr("\"y/most\": float32[] = 6"),
                    HasSubstr("y = Clip(\"y/sum\", \"y/least\", \"y/most\")")));
  EXPECT_THAT(text(convolution("HardSigmoid")), HasSubstr("alpha=0.2, beta=0.5"));
  EXPECT_THAT(text(convolution("Cbrt")),
              HasSubstr("OPK-ONNX-002: FusedConv of com.microsoft has the activation Cbrt"));
}

TEST(RuntimeNodes, RefusesFormsThatOnnxLacks) {
  const std::vector<std::string> x = {"x", "xs", "x0", "ys", "y0"};
  const std::string last = "attribute { name: \"channels_last\" type: INT i: 1 }";
  EXPECT_THAT(refused(quantised(node("QLinearGlobalAveragePool", x, last))),
              HasSubstr("OPK-ONNX-002: QLinearGlobalAveragePool of com.microsoft has its channels "
                        "behind"));
  EXPECT_THAT(refused(quantised(
                  node("QLinearSoftmax", x, "attribute { name: \"opset\" type: INT i: 12 }"))),
              HasSubstr("the opset 12, in a model of opset 13"));
  EXPECT_THAT(refused(floats(node("SkipLayerNormalization", {"x", "x", "b"}, "output: \"m\""))),
              HasSubstr("its mean or deviation as a result"));
  EXPECT_THAT(refused(floats(node("Attention", {"x", "b"}))),
              HasSubstr("E19010: No parser is registered for Op [own, optype "
                        "[com.microsoft.Attention]]"));
}

}  // namespace
}  // namespace opkit::onnx_frontend
