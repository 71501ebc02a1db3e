// Activations: functions of one real number with attributes. NaN gives NaN everywhere: a comparison
// with NaN is false, so each formula ends in the branch that passes x on.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

template <typename F>
Result<Outputs> activate(const OperatorCall& call, F f) {
  return only(map_values(call.input(0), f));
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double softplus_of(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

Result<Outputs> relu(const OperatorCall& call) {
  return only(map_values(call.input(0), [](double x) { return x < 0 ? 0 : x; }));
}

Result<Outputs> leaky_relu(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  return activate(call, [&](double x) { return x < 0 ? alpha * x : x; });
}

// Returns the shape by which slopes broadcast to x, never the other way round. Before version 7 a
// list of slopes belongs to the channels (dim 1).
Shape slope_shape(const OperatorCall& call) {
  Shape slopes = call.input(1).shape;
  const size_t rank = call.input(0).shape.rank();
  if (call.opset() < 7 && slopes.rank() == 1 && rank > 2) slopes.dims().resize(rank - 1, 1);
  return slopes;
}

Result<Outputs> prelu(const OperatorCall& call) {
  RefTensor slopes = call.input(1);
  slopes.shape = slope_shape(call);
  return only(
      combine(call, call.input(0), slopes, call.input(0).dtype,
              [](double x, double slope) -> Result<double> { return x < 0 ? slope * x : x; }));
}

Result<Outputs> elu(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  return activate(call, [&](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

Result<Outputs> celu(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  return activate(call, [&](double x) { return x < 0 ? alpha * std::expm1(x / alpha) : x; });
}

Result<Outputs> selu(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  const double gamma = call.number("gamma");
  return activate(call, [&](double x) { return gamma * (x <= 0 ? alpha * std::expm1(x) : x); });
}

Result<Outputs> sigmoid(const OperatorCall& call) { return activate(call, sigmoid_of); }

Result<Outputs> hard_sigmoid(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  const double beta = call.number("beta");
  return activate(call, [&](double x) { return clamped(alpha * x + beta, 0, 1); });
}

Result<Outputs> hard_swish(const OperatorCall& call) {
  return activate(call, [](double x) { return x * clamped(x / 6 + 0.5, 0, 1); });
}

Result<Outputs> softplus(const OperatorCall& call) { return activate(call, softplus_of); }

Result<Outputs> softsign(const OperatorCall& call) {
  return activate(call, [](double x) { return x / (1 + std::abs(x)); });
}

Result<Outputs> thresholded_relu(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  return activate(call, [&](double x) { return x <= alpha ? 0 : x; });
}

// x/2 * erfc(-x/sqrt 2) is x/2 * (1 + erf(x/sqrt 2)) without its cancellation for negative x.
double gelu_exact(double x) { return 0.5 * x * std::erfc(-x * M_SQRT1_2); }

double gelu_tanh(double x) {
  const double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

Result<Outputs> gelu(const OperatorCall& call) {
  const std::string approximate = call.text("approximate");
  if (approximate == "none") return activate(call, gelu_exact);
  if (approximate == "tanh") return activate(call, gelu_tanh);
  return call.attribute_error("approximate must be none or tanh, not '" + approximate + "'");
}

Result<Outputs> silu(const OperatorCall& call) {
  return activate(call, [](double x) { return x * sigmoid_of(x); });
}

Result<Outputs> swish(const OperatorCall& call) {
  const double alpha = call.number("alpha");
  return activate(call, [&](double x) { return x * sigmoid_of(alpha * x); });
}

Result<Outputs> mish(const OperatorCall& call) {
  return activate(call, [](double x) { return x * std::tanh(softplus_of(x)); });
}

Result<Outputs> shrink(const OperatorCall& call) {
  const double bias = call.number("bias");
  const double lambda = call.number("lambd");
  return activate(call, [&](double x) {
    return x < -lambda ? x + bias : x > lambda ? x - bias : std::isnan(x) ? x : 0.0;
  });
}

// At inference the identity, with a mask of ones. Random dropping is refused: nobody could check
// it.
Result<Outputs> dropout(const OperatorCall& call) {
  const bool training = call.has_input(2) && call.input(2).elements() == 1 && call.input(2)[0] != 0;
  double ratio = call.number("ratio");
  if (call.has_input(1)) {
    OPKIT_TRY(ratio, call.scalar_of(1));
  }
  if (training && ratio != 0) return call.not_implemented("random dropping in training mode");
  RefTensor mask = map_values(call.input(0), [](double) { return 1.0; });
  mask.dtype = call.opset() >= 10 ? DType::kBool : call.input(0).dtype;
  return Outputs{call.input(0), std::move(mask)};
}

Result<Shapes> prelu_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const Shape slopes = slope_shape(call);
  if (broadcast_shape(x, slopes) == x) return one(x);
  return call.shape_error("slope " + slopes.to_string() + " does not broadcast to x " +
                          x.to_string());
}

Result<DTypes> dropout_types(const OperatorCall& call) {
  const DType dtype = call.input(0).dtype;
  return DTypes{dtype, call.opset() >= 10 ? DType::kBool : dtype};
}

Result<Shapes> dropout_shapes(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  return Shapes({shape, shape});
}

Operator relu_row() {
  return {.name = "Relu",
          .evaluate = relu,
          .types = first_type,
          .shapes = first_shape,
          .reach = Reach::kElement,
          .bound = Bound::moved()};
}
Operator prelu_row() {
  return {.name = "PRelu",
          .least_inputs = 2,
          .most_inputs = 2,
          .evaluate = prelu,
          .types = same_type,
          .shapes = prelu_shape,
          .reach = Reach::kElement,
          .bound = Bound::composed()};
}
Operator dropout_row() {
  return {.name = "Dropout",
          .most_inputs = 3,
          .most_outputs = 2,
          .attributes = {number("ratio", 0.5), integer("seed")},
          .evaluate = dropout,
          .types = dropout_types,
          .shapes = dropout_shapes,
          .reach = Reach::kElement,
          .bound = Bound::moved()};
}

}  // namespace

Operators activation_operators() {
  using enum Reach;
  const auto row = [](std::string_view name, std::vector<AttributeSpec> attributes,
                      Result<Outputs> (*f)(const OperatorCall&), Bound bound = {}) {
    return Operator{.name = name,
                    .attributes = std::move(attributes),
                    .evaluate = f,
                    .types = float_type,
                    .shapes = first_shape,
                    .reach = kElement,
                    .bound = bound};
  };
  return {
      relu_row(),
      row("LeakyRelu", {number("alpha", 0.01)}, leaky_relu, Bound::composed()),
      prelu_row(),
      row("Elu", {number("alpha", 1)}, elu, Bound::rising(4, 2)),
      row("Celu", {number("alpha", 1)}, celu, Bound::rising(4, 2)),
      // The defaults are ONNX's binary32 constants.
      row("Selu",
          {number("alpha", 1.67326319217681884765625), number("gamma", 1.05070102214813232421875)},
          selu, Bound::rising(5, 4)),
      row("Sigmoid", {}, sigmoid, Bound::rising(4, 0)),
      row("HardSigmoid", {number("alpha", 0.2), number("beta", 0.5)}, hard_sigmoid,
          Bound::rising(2, 1, "correctly rounded")),
      row("HardSwish", {}, hard_swish, Bound::smooth(1.5, 3, 0)),
      row("Softplus", {}, softplus, Bound::rising(4, 2)),
      row("Softsign", {}, softsign, Bound::rising(3, 0)),
      row("ThresholdedRelu", {number("alpha", 1)}, thresholded_relu, Bound::stepped()),
      row("Gelu", {text("approximate", "none")}, gelu, Bound::smooth(1.13, 4, 4)),
      row("Silu", {}, silu, Bound::smooth(1.1, 5, 0)),
      row("Swish", {number("alpha", 1)}, swish, Bound::smooth(1.1, 5, 0)),
      row("Mish", {}, mish, Bound::smooth(1.09, 8, 4)),
      row("Shrink", {number("bias", 0), number("lambd", 0.5)}, shrink, Bound::composed()),
      dropout_row(),
  };
}

}  // namespace opkit::reference
