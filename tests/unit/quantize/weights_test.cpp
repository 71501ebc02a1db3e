#include "opkit/quantize/weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace opkit::quantize {
namespace {

Layer layer_of(Shape shape, std::vector<double> values, size_t axis) {
  Layer layer;
  layer.axis = axis;
  layer.weights = {DType::kFloat32, std::move(shape), std::move(values)};
  return layer;
}

TEST(Weights, HaveAScalePerChannel) {
  const Layer conv = layer_of({2, 2}, {1, -2, 10, 4}, 0),
              product = layer_of({2, 2}, {1, -2, 10, 4}, 1);
  EXPECT_EQ(weight_scales(conv, WeightMethod::kMinMax),
            (std::vector<double>{scale_of(2), scale_of(10)}));
  EXPECT_EQ(weight_scales(product, WeightMethod::kMinMax),
            (std::vector<double>{scale_of(10), scale_of(4)}));
  const Int8Weights weights = quantized_weights(conv, {scale_of(2), scale_of(10)}, 1);
  EXPECT_EQ(weights.values.values, (std::vector<double>{64, -127, 127, 51}));
  EXPECT_EQ(weights.values.dtype, DType::kInt8);
  EXPECT_LT(weights.error, 1e-4);
}

TEST(Weights, OfZerosHaveTheScaleOne) {
  const Layer layer = layer_of({2, 1}, {0, 3}, 0);
  EXPECT_EQ(weight_scales(layer, WeightMethod::kSquaredError)[0], 1);
  EXPECT_EQ(scale_of(0), 1);
  EXPECT_EQ(scale_of(1e-300), kLeastScale);
}

// The least squared error is never larger than that of the largest magnitude, and smaller where one
// weight stands far out.
TEST(Weights, FindTheLeastSquaredError) {
  std::vector<double> values(1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i)) * 0.1;
  values[7] = 0.35;
  const Layer layer = layer_of({1, 1000}, values, 0);
  const auto error = [&](WeightMethod method) {
    return quantized_weights(layer, weight_scales(layer, method), 1).error;
  };
  EXPECT_LE(error(WeightMethod::kSquaredError), error(WeightMethod::kMinMax));
}

TEST(Weights, RoundHalvesToEvenAndHaveNoNegativeZero) {
  const Layer layer = layer_of({1, 6}, {0.5, 1.5, 2.5, -0.5, -1.5, 500}, 0);
  const Int8Weights weights = quantized_weights(layer, {1}, 1);
  EXPECT_EQ(weights.values.values, (std::vector<double>{0, 2, 2, 0, -2, 127}));
  for (const double value : weights.values.values) EXPECT_FALSE(value == 0 && std::signbit(value));
}

// Steps beyond float32 would be infinite: such a bias stays a float.
TEST(Weights, LeaveABiasFloatWhoseStepsAreTooLarge) {
  Layer layer = layer_of({1, 1}, {1e38}, 0);
  layer.bias = graph::RefTensor{DType::kFloat32, Shape{1}, {1}};
  const Int8Weights weights =
      quantized_weights(layer, weight_scales(layer, WeightMethod::kMinMax), 1e36);
  EXPECT_FALSE(weights.bias.has_value());
  EXPECT_TRUE(weights.bias_scales.empty());
}

TEST(Weights, HaveTheirBiasInInt32) {
  Layer layer = layer_of({2, 1}, {1, 1e-9}, 0);
  layer.bias = graph::RefTensor{DType::kFloat32, Shape{2}, {0.5, -3}};
  const Int8Weights weights =
      quantized_weights(layer, weight_scales(layer, WeightMethod::kMinMax), 0.01);
  ASSERT_TRUE(weights.bias.has_value());
  EXPECT_EQ(weights.bias->dtype, DType::kInt32);
  // The second channel's scale would need 3 / (0.01 * 8e-12) steps.
  EXPECT_EQ(weights.widened, 1u);
  for (int64_t c = 0; c < 2; ++c) {
    EXPECT_LT(std::abs((*weights.bias)[c]), 2147483648.0);
    EXPECT_NEAR((*weights.bias)[c] * weights.bias_scales[static_cast<size_t>(c)], (*layer.bias)[c],
                1e-4);
  }
}

}  // namespace
}  // namespace opkit::quantize
