#include "opkit/quantize/layers.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/quantize/graphs.h"

namespace opkit::quantize {
namespace {

Layers layers_in(const graph::Graph& net) {
  const auto walk = Walk::make(net);
  EXPECT_TRUE(walk.ok());
  auto layers = find_layers(*walk, results_of(net));
  EXPECT_TRUE(layers.ok()) << layers.error().to_string();
  return std::move(*layers);
}

TEST(Layers, TakeInTheNormalizationBehindThem) {
  const Layers found = layers_in(conv_and_norm({4, 0.25}));
  ASSERT_EQ(found.layers.size(), 1u);
  const Layer& layer = found.layers[0];
  EXPECT_EQ(layer.result, "y");
  EXPECT_EQ(layer.weights.values, (std::vector<double>{0.5, 12}));
  ASSERT_TRUE(layer.bias.has_value());
  EXPECT_EQ(layer.bias->values, (std::vector<double>{0.5, -25}));
}

// The root of a variance that is 0 or less is no divisor: the node stays, and gives what it gave.
TEST(Layers, LeaveANormalizationWhoseNumbersAreNotFinite) {
  for (const double variance : {0.0, -1.0}) {
    const Layers found = layers_in(conv_and_norm({4, variance}));
    ASSERT_EQ(found.layers.size(), 1u);
    EXPECT_EQ(found.layers[0].norm, kNoNode);
    EXPECT_EQ(found.layers[0].result, "c");
    EXPECT_EQ(found.layers[0].weights.values, (std::vector<double>{1, 2}));
    EXPECT_FALSE(found.layers[0].bias.has_value());
  }
}

graph::Graph gemm(Shape bias_shape, std::vector<double> bias) {
  graph::Graph net;
  net.add_input("x", DType::kFloat32, {2, 3});
  net.add_constant("w", floats({3, 2}, {1, 2, 3, 4, 5, 6}));
  net.add_constant("b", floats(std::move(bias_shape), std::move(bias)));
  net.nodes.push_back({"Gemm", {"x", "w", "b"}, {"y"}, {}, "gemm"});
  net.outputs = {"y"};
  return net;
}

// A column has as many elements as the row of a square result, and is another thing.
TEST(Layers, TakeABiasPerChannelAlone) {
  EXPECT_TRUE(layers_in(gemm({2}, {1, 2})).layers[0].bias.has_value());
  EXPECT_TRUE(layers_in(gemm({1, 2}, {1, 2})).layers[0].bias.has_value());
  EXPECT_FALSE(layers_in(gemm({2, 1}, {1, 2})).layers[0].bias.has_value());
  EXPECT_FALSE(layers_in(gemm({}, {1})).layers[0].bias.has_value());
}

TEST(Layers, StayFloatWithABiasThatIsNotFinite) {
  const graph::Graph net = gemm({2}, {1, std::numeric_limits<double>::quiet_NaN()});
  const auto walk = Walk::make(net);
  const auto found = find_layers(*walk, results_of(net));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, "OPK-QUANT-004");
  EXPECT_NE(found.error().to_string().find("has a bias that is not finite"), std::string::npos);
}

TEST(Layers, CountChannelsOnTheAxisOfTheirWeights) {
  EXPECT_EQ(layers_in(gemm({2}, {1, 2})).layers[0].axis, 1u);
  graph::Graph turned = gemm({3}, {1, 2, 3});
  turned.values.at("x").shape = Shape{2, 2};
  turned.nodes[0].attributes["transB"] = int64_t{1};
  EXPECT_EQ(layers_in(turned).layers[0].axis, 0u);
  EXPECT_TRUE(layers_in(turned).layers[0].bias.has_value());
}

}  // namespace
}  // namespace opkit::quantize
