// Activations: functions of one real number with attributes. NaN gives NaN everywhere: a comparison
// with NaN is false, so each formula ends in the branch that passes x on.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

template <typename F>
Result<Outputs> activate(const Call& call, F f) {
  OPKIT_CHECK(call.require_float(0));
  return only(map_values(call.input(0), f));
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double softplus_of(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

Result<Outputs> relu(const Call& call) {
  return only(map_values(call.input(0), [](double x) { return x < 0 ? 0 : x; }));
}

Result<Outputs> leaky_relu(const Call& call) {
  const double alpha = call.number("alpha", 0.01);
  return activate(call, [&](double x) { return x < 0 ? alpha * x : x; });
}

// The slope broadcasts to x, never the other way round. Before version 7 a list of slopes belongs
// to the channels (dim 1).
Result<Outputs> prelu(const Call& call) {
  OPKIT_CHECK(call.require_same_dtype());
  RefTensor slopes = call.input(1);
  const size_t rank = call.input(0).shape.rank();
  if (call.opset() < 7 && slopes.shape.rank() == 1 && rank > 2) {
    slopes.shape.dims().resize(rank - 1, 1);
  }
  const auto shape = broadcast_shape(call.input(0).shape, slopes.shape);
  if (!shape || *shape != call.input(0).shape) {
    return call.shape_error("slope " + slopes.shape.to_string() + " does not broadcast to x " +
                            call.input(0).shape.to_string());
  }
  return only(
      combine(call, call.input(0), slopes, call.input(0).dtype,
              [](double x, double slope) -> Result<double> { return x < 0 ? slope * x : x; }));
}

Result<Outputs> elu(const Call& call) {
  const double alpha = call.number("alpha", 1);
  return activate(call, [&](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

Result<Outputs> celu(const Call& call) {
  const double alpha = call.number("alpha", 1);
  return activate(call, [&](double x) { return x < 0 ? alpha * std::expm1(x / alpha) : x; });
}

// The defaults are ONNX's binary32 constants.
Result<Outputs> selu(const Call& call) {
  const double alpha = call.number("alpha", 1.67326319217681884765625);
  const double gamma = call.number("gamma", 1.05070102214813232421875);
  return activate(call, [&](double x) { return gamma * (x <= 0 ? alpha * std::expm1(x) : x); });
}

Result<Outputs> sigmoid(const Call& call) { return activate(call, sigmoid_of); }

Result<Outputs> hard_sigmoid(const Call& call) {
  const double alpha = call.number("alpha", 0.2);
  const double beta = call.number("beta", 0.5);
  return activate(call, [&](double x) { return clamped(alpha * x + beta, 0, 1); });
}

Result<Outputs> hard_swish(const Call& call) {
  return activate(call, [](double x) { return x * clamped(x / 6 + 0.5, 0, 1); });
}

Result<Outputs> softplus(const Call& call) { return activate(call, softplus_of); }

Result<Outputs> softsign(const Call& call) {
  return activate(call, [](double x) { return x / (1 + std::abs(x)); });
}

Result<Outputs> thresholded_relu(const Call& call) {
  const double alpha = call.number("alpha", 1);
  return activate(call, [&](double x) { return x <= alpha ? 0 : x; });
}

// x/2 * erfc(-x/sqrt 2) is x/2 * (1 + erf(x/sqrt 2)) without its cancellation for negative x.
double gelu_exact(double x) { return 0.5 * x * std::erfc(-x * M_SQRT1_2); }

double gelu_tanh(double x) {
  const double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

Result<Outputs> gelu(const Call& call) {
  const std::string approximate = call.text("approximate", "none");
  if (approximate == "none") return activate(call, gelu_exact);
  if (approximate == "tanh") return activate(call, gelu_tanh);
  return call.attribute_error("approximate must be none or tanh, not '" + approximate + "'");
}

Result<Outputs> silu(const Call& call) {
  return activate(call, [](double x) { return x * sigmoid_of(x); });
}

Result<Outputs> swish(const Call& call) {
  const double alpha = call.number("alpha", 1);
  return activate(call, [&](double x) { return x * sigmoid_of(alpha * x); });
}

Result<Outputs> mish(const Call& call) {
  return activate(call, [](double x) { return x * std::tanh(softplus_of(x)); });
}

Result<Outputs> shrink(const Call& call) {
  const double bias = call.number("bias", 0);
  const double lambda = call.number("lambd", 0.5);
  return activate(call, [&](double x) {
    return x < -lambda ? x + bias : x > lambda ? x - bias : std::isnan(x) ? x : 0.0;
  });
}

// At inference the identity, with a mask of ones. Random dropping is refused: nobody could check
// it.
Result<Outputs> dropout(const Call& call) {
  const bool training = call.has_input(2) && call.input(2).elements() == 1 && call.input(2)[0] != 0;
  double ratio = call.number("ratio", 0.5);
  if (call.has_input(1)) {
    OPKIT_TRY(ratio, call.scalar_of(1));
  }
  if (training && ratio != 0) return call.not_implemented("random dropping in training mode");
  RefTensor mask = map_values(call.input(0), [](double) { return 1.0; });
  mask.dtype = call.opset() >= 10 ? DType::kBool : call.input(0).dtype;
  return Outputs{call.input(0), std::move(mask)};
}

}  // namespace

Operators activation_operators() {
  using enum AttributeKind;
  return {
      {"Relu", 1, 1, 1, {}, relu},
      {"LeakyRelu", 1, 1, 1, {{"alpha", kNumber}}, leaky_relu},
      {"PRelu", 2, 2, 1, {}, prelu},
      {"Elu", 1, 1, 1, {{"alpha", kNumber}}, elu},
      {"Celu", 1, 1, 1, {{"alpha", kNumber}}, celu},
      {"Selu", 1, 1, 1, {{"alpha", kNumber}, {"gamma", kNumber}}, selu},
      {"Sigmoid", 1, 1, 1, {}, sigmoid},
      {"HardSigmoid", 1, 1, 1, {{"alpha", kNumber}, {"beta", kNumber}}, hard_sigmoid},
      {"HardSwish", 1, 1, 1, {}, hard_swish},
      {"Softplus", 1, 1, 1, {}, softplus},
      {"Softsign", 1, 1, 1, {}, softsign},
      {"ThresholdedRelu", 1, 1, 1, {{"alpha", kNumber}}, thresholded_relu},
      {"Gelu", 1, 1, 1, {{"approximate", kText}}, gelu},
      {"Silu", 1, 1, 1, {}, silu},
      {"Swish", 1, 1, 1, {{"alpha", kNumber}}, swish},
      {"Mish", 1, 1, 1, {}, mish},
      {"Shrink", 1, 1, 1, {{"bias", kNumber}, {"lambd", kNumber}}, shrink},
      {"Dropout", 1, 3, 2, {{"ratio", kNumber}, {"seed", kInteger}}, dropout},
  };
}

}  // namespace opkit::reference
