// Conv, ConvInteger, QLinearConv in any number of spatial dims.
#include "opkit/reference/convolve.h"
#include "opkit/reference/families.h"
#include "opkit/reference/quantization.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

Status check_channels(const OperatorCall& call, const Shape& x, const Shape& w, int64_t groups) {
  if (groups >= 1 && groups <= x[1] && x[1] == w[1] * groups && w[0] % groups == 0) return {};
  return call.shape_error("x " + x.to_string() + " and w " + w.to_string() + " do not fit in " +
                          std::to_string(groups) + " groups");
}

Result<Window> conv_window(const OperatorCall& call, const Shape& x, const Shape& w) {
  if (x.rank() < 3 || w.rank() != x.rank()) {
    return call.shape_error("x " + x.to_string() + " and w " + w.to_string() +
                            " must have one rank of at least 3");
  }
  OPKIT_CHECK(check_channels(call, x, w, call.integer("group")));
  const Shape kernel = spatial(w);
  if (call.has_attribute("kernel_shape") && call.integers("kernel_shape") != kernel.dims()) {
    return call.attribute_error("kernel_shape differs from the dims of w " + w.to_string());
  }
  return read_window(call, spatial(x), kernel);
}

Result<RefTensor> convolved(const OperatorCall& call, const RefTensor& x, const RefTensor& w,
                            DType dtype) {
  const int64_t groups = call.integer("group");
  OPKIT_TRY(const Window window, conv_window(call, x.shape, w.shape));
  OPKIT_TRY(RefTensor y, call.make(dtype, with_spatial(x.shape[0], w.shape[0], window.output)));
  convolve(window, groups, x, w, y);
  return y;
}

// Returns the result's shape; a bias has one value per map.
Result<Shapes> conv_result(const OperatorCall& call, const Window& window, size_t weights,
                           size_t bias) {
  const int64_t maps = call.input(weights).shape[0];
  if (call.has_input(bias) && call.input(bias).shape != Shape{maps}) {
    return call.shape_error("bias " + call.input(bias).shape.to_string() + " does not fit the " +
                            std::to_string(maps) + " maps");
  }
  return checked(call, with_spatial(call.input(0).shape[0], maps, window.output));
}

// Adds bias[m] to every element of map m.
void add_bias(const OperatorCall& call, size_t input, RefTensor& y) {
  if (!call.has_input(input)) return;
  const RefTensor& bias = call.input(input);
  const int64_t plane = product(y.shape, 2, y.shape.rank());
  for (int64_t i = 0; i < y.elements(); ++i) y[i] += bias[i / plane % y.shape[1]];
}

Result<Outputs> conv(const OperatorCall& call) {
  OPKIT_TRY(RefTensor y, convolved(call, call.input(0), call.input(1), call.input(0).dtype));
  add_bias(call, 2, y);
  return only(std::move(y));
}

// Sums are formed in double: products of such operands keep them exact.
Status require_narrow(const OperatorCall& call, size_t input) {
  OPKIT_CHECK(call.require_integer(input));
  if (bits_of(call.input(input).dtype) <= 16) return {};
  return call.error(kBadDType,
                    "input " + std::to_string(input) + " must have 16 bits or fewer per element",
                    "quantize to int8 or uint8");
}

// Zero points of w: one, or one per map.
Status check_weights_zero_point(const OperatorCall& call, size_t input, size_t zero_point) {
  if (!call.has_input(zero_point)) return {};
  const Shape &w = call.input(input).shape, &zero = call.input(zero_point).shape;
  OPKIT_TRY(const int64_t elements, zero.checked_elements());
  if (elements == 1 || (w.rank() > 0 && elements == w[0])) return {};
  return call.shape_error("zero point " + zero.to_string() + " does not fit w " + w.to_string());
}

RefTensor centred_weights(const OperatorCall& call, size_t input, size_t zero_point) {
  RefTensor w = call.input(input);
  w.dtype = DType::kInt32;
  if (!call.has_input(zero_point)) return w;
  const RefTensor& zero = call.input(zero_point);
  const int64_t filter = product(w.shape, 1, w.shape.rank());
  for (int64_t i = 0; i < w.elements(); ++i) w[i] -= picked(zero, i / filter);
  return w;
}

Result<Outputs> conv_integer(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor x, minus_zero_point(call, 0, 2, RowOrColumn::kRow));
  const RefTensor w = centred_weights(call, 1, 3);
  OPKIT_TRY(RefTensor y, convolved(call, x, w, DType::kInt32));
  for (double& value : y.values) {
    OPKIT_TRY(value, call.integer_result(DType::kInt32, static_cast<Wide>(value)));
  }
  return only(std::move(y));
}

// Inputs: x, its scale and zero point, w, its scale(s) and zero point(s), y's scale and zero point,
// the bias in int32 at scale x_scale * w_scale.
Result<Outputs> qlinear_conv(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor x, minus_zero_point(call, 0, 2, RowOrColumn::kRow));
  const RefTensor w = centred_weights(call, 3, 5);
  OPKIT_TRY(const double x_scale, call.scalar_of(1));
  OPKIT_TRY(const double y_scale, call.scalar_of(6));
  OPKIT_TRY(const double y_zero, call.scalar_of(7));
  const RefTensor& w_scale = call.input(4);
  OPKIT_TRY(RefTensor y, convolved(call, x, w, DType::kInt32));
  add_bias(call, 8, y);
  y.dtype = call.input(7).dtype;
  const int64_t plane = product(y.shape, 2, y.shape.rank());
  for (int64_t i = 0; i < y.elements(); ++i) {
    const double real = y[i] * x_scale * picked(w_scale, i / plane % y.shape[1]);
    OPKIT_TRY(y[i], quantized(call, {y.dtype, call.input(6).dtype, y_scale, y_zero}, real));
  }
  return only(std::move(y));
}

Result<Shapes> conv_shape(const OperatorCall& call) {
  OPKIT_TRY(const Window window, conv_window(call, call.input(0).shape, call.input(1).shape));
  return conv_result(call, window, 1, 2);
}

Result<DTypes> conv_integer_type(const OperatorCall& call) {
  OPKIT_CHECK(require_narrow(call, 0));
  OPKIT_CHECK(require_narrow(call, 1));
  return DTypes{DType::kInt32};
}

Result<Shapes> conv_integer_shape(const OperatorCall& call) {
  if (call.has_input(2)) OPKIT_CHECK(call.require_one_element(2));
  OPKIT_CHECK(check_weights_zero_point(call, 1, 3));
  OPKIT_TRY(const Window window, conv_window(call, call.input(0).shape, call.input(1).shape));
  return conv_result(call, window, 1, 4);
}

Result<DTypes> qlinear_conv_type(const OperatorCall& call) {
  OPKIT_CHECK(require_narrow(call, 0));
  OPKIT_CHECK(require_narrow(call, 3));
  return DTypes{call.input(7).dtype};
}

Result<Shapes> qlinear_conv_shape(const OperatorCall& call) {
  for (const size_t i : {1, 2, 6, 7}) OPKIT_CHECK(call.require_one_element(i));
  OPKIT_CHECK(check_weights_zero_point(call, 3, 5));
  const Shape& scale = call.input(4).shape;
  OPKIT_TRY(const int64_t scales, scale.checked_elements());
  OPKIT_TRY(const Window window, conv_window(call, call.input(0).shape, call.input(3).shape));
  if (scales != 1 && scales != call.input(3).shape[0])
    return call.shape_error("the scale of w does not fit its maps");
  return conv_result(call, window, 3, 8);
}

}  // namespace

Operators conv_operators() {
  const std::vector<AttributeSpec> attributes =
      window_attributes({integer("group", 1), integers("kernel_shape")});
  return {
      {.name = "Conv",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = attributes,
       .evaluate = conv,
       .types = same_float_type,
       .shapes = conv_shape,
       .bound = Bound::multiplied()},
      {.name = "ConvInteger",
       .least_inputs = 2,
       .most_inputs = 4,
       .attributes = attributes,
       .evaluate = conv_integer,
       .types = conv_integer_type,
       .shapes = conv_integer_shape,
       .bound = Bound::certain()},
      {.name = "QLinearConv",
       .least_inputs = 8,
       .most_inputs = 9,
       .attributes = attributes,
       .evaluate = qlinear_conv,
       .types = qlinear_conv_type,
       .shapes = qlinear_conv_shape},
  };
}

}  // namespace opkit::reference
