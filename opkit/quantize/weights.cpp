#include "opkit/quantize/weights.h"

#include <algorithm>
#include <cmath>

#include "opkit/reference/tensor.h"

namespace opkit::quantize {
namespace {

using graph::RefTensor;

constexpr double kMostBias = 2147483647.0;
// Bounds that are tried for the least squared error, as shares of the largest magnitude.
constexpr int kTried = 80;
constexpr double kLeastShare = 0.2;

double single(double value) { return reference::rounded_to(DType::kFloat32, value); }

double in_int8(double value, double scale) {
  // Adds 0, since integers have no negative zero.
  return std::clamp(std::nearbyint(single(value / scale)), -kLevels, kLevels) + 0.0;
}

// Elements of channel c, as runs of neighbours.
template <typename Visit>
void for_channel(const Layer& layer, int64_t c, const Visit& visit) {
  const Shape& shape = layer.weights.shape;
  if (!layer.per_channel) {
    for (int64_t i = 0; i < layer.weights.elements(); ++i) visit(i);
    return;
  }
  int64_t inner = 1;
  for (size_t d = layer.axis + 1; d < shape.rank(); ++d) inner *= shape[d];
  const int64_t outer = layer.weights.elements() / inner / shape[layer.axis];
  for (int64_t o = 0; o < outer; ++o) {
    const int64_t start = (o * shape[layer.axis] + c) * inner;
    for (int64_t i = start; i < start + inner; ++i) visit(i);
  }
}

int64_t channel_count(const Layer& layer) {
  return layer.per_channel ? layer.weights.shape[layer.axis] : 1;
}

double squared_error(const Layer& layer, int64_t c, double scale) {
  double sum = 0;
  for_channel(layer, c, [&](int64_t i) {
    const double off = layer.weights[i] - in_int8(layer.weights[i], scale) * scale;
    sum += off * off;
  });
  return sum;
}

double best_scale(const Layer& layer, int64_t c, double bound) {
  double best = scale_of(bound), least = squared_error(layer, c, best);
  for (int t = 0; t < kTried && least > 0; ++t) {
    const double share = kLeastShare + (1 - kLeastShare) * t / kTried;
    const double scale = scale_of(bound * share), error = squared_error(layer, c, scale);
    if (error < least) {
      least = error;
      best = scale;
    }
  }
  return best;
}

// Lets int32 hold the bias, however small weights and data are.
void widen(const RefTensor& bias, double data_scale, Int8Weights& out) {
  for (size_t c = 0; c < out.scales.size(); ++c) {
    const double magnitude = std::abs(bias[static_cast<int64_t>(c)]);
    if (magnitude / (out.scales[c] * data_scale) <= kMostBias / 2) continue;
    out.scales[c] = single(magnitude / data_scale / (kMostBias / 4));
    ++out.widened;
  }
}

// Leaves the bias a float where float32 does not hold a channel's step.
void set_bias(const RefTensor& bias, double data_scale, Int8Weights& out) {
  RefTensor whole{DType::kInt32, bias.shape, bias.values};
  whole.shape = Shape{bias.elements()};
  std::vector<double> scales;
  for (int64_t c = 0; c < bias.elements(); ++c) {
    const double scale = single(single(data_scale) * out.scales[static_cast<size_t>(c)]);
    if (!std::isfinite(scale)) return;
    scales.push_back(scale);
    whole[c] = std::clamp(std::nearbyint(bias[c] / scale), -kMostBias, kMostBias) + 0.0;
  }
  out.bias_scales = std::move(scales);
  out.bias = std::move(whole);
}

}  // namespace

double scale_of(double bound) {
  if (!(bound > 0)) return 1;
  return single(std::max(bound / kLevels, kLeastScale));
}

std::vector<double> weight_scales(const Layer& layer, WeightMethod method) {
  std::vector<double> scales;
  for (int64_t c = 0; c < channel_count(layer); ++c) {
    double bound = 0;
    for_channel(layer, c, [&](int64_t i) { bound = std::max(bound, std::abs(layer.weights[i])); });
    scales.push_back(method == WeightMethod::kMinMax ? scale_of(bound)
                                                     : best_scale(layer, c, bound));
  }
  return scales;
}

Int8Weights quantized_weights(const Layer& layer, std::vector<double> scales, double data_scale) {
  Int8Weights out;
  out.scales = std::move(scales);
  const bool with_bias = layer.bias && layer.per_channel &&
                         layer.bias->elements() == static_cast<int64_t>(out.scales.size());
  if (with_bias) widen(*layer.bias, data_scale, out);
  out.values = RefTensor{DType::kInt8, layer.weights.shape, layer.weights.values};
  double error = 0, power = 0;
  for (int64_t c = 0; c < channel_count(layer); ++c) {
    const double scale = out.scales[static_cast<size_t>(c)];
    for_channel(layer, c, [&](int64_t i) {
      out.values[i] = in_int8(layer.weights[i], scale);
      const double off = layer.weights[i] - out.values[i] * scale;
      error += off * off;
      power += layer.weights[i] * layer.weights[i];
    });
  }
  out.error = power > 0 ? error / power : 0;
  if (with_bias) set_bias(*layer.bias, data_scale, out);
  return out;
}

}  // namespace opkit::quantize
