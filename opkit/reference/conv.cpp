// Conv, ConvInteger, QLinearConv in any number of spatial dims.
#include "opkit/reference/operators.h"
#include "opkit/reference/quantization.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

Status check_channels(const Call& call, const Shape& x, const Shape& w, int64_t groups) {
  if (groups >= 1 && groups <= x[1] && x[1] == w[1] * groups && w[0] % groups == 0) return {};
  return call.shape_error("x " + x.to_string() + " and w " + w.to_string() + " do not fit in " +
                          std::to_string(groups) + " groups");
}

Result<Window> conv_window(const Call& call, const Shape& x, const Shape& w) {
  const Shape kernel = spatial(w);
  if (call.has_attribute("kernel_shape") && call.integers("kernel_shape") != kernel.dims()) {
    return call.attribute_error("kernel_shape differs from the dims of w " + w.to_string());
  }
  return read_window(call, spatial(x), kernel);
}

// y[n, m, o] = sum over c, k of x[n, group of m, c, o + k] * w[m, c, k].
Result<RefTensor> convolve(const Call& call, const RefTensor& x, const RefTensor& w, DType dtype) {
  if (x.shape.rank() < 3 || w.shape.rank() != x.shape.rank()) {
    return call.shape_error("x " + x.shape.to_string() + " and w " + w.shape.to_string() +
                            " must have one rank of at least 3");
  }
  const int64_t groups = call.integer("group", 1);
  OPKIT_CHECK(check_channels(call, x.shape, w.shape, groups));
  OPKIT_TRY(const Window window, conv_window(call, x.shape, w.shape));
  const int64_t batch = x.shape[0], maps = w.shape[0], depth = w.shape[1];
  const int64_t plane = window.input.elements(), taps_in_all = window.kernel.elements();
  OPKIT_TRY(RefTensor y, call.make(dtype, with_spatial(batch, maps, window.output)));
  const int64_t out_plane = window.output.elements();
  int64_t position = 0;
  for_each_index(window.output, [&](const Index& output) {
    const std::vector<Tap> met = taps(window, output);
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t m = 0; m < maps; ++m) {
        const int64_t first_channel = m / (maps / groups) * depth;
        double sum = 0;
        for (int64_t c = 0; c < depth; ++c) {
          const int64_t x_start = (n * x.shape[1] + first_channel + c) * plane;
          const int64_t w_start = (m * depth + c) * taps_in_all;
          for (const Tap& tap : met) sum += x[x_start + tap.input] * w[w_start + tap.kernel];
        }
        y[(n * maps + m) * out_plane + position] = sum;
      }
    }
    ++position;
  });
  return y;
}

// Adds bias[m] to every element of map m.
Status add_bias(const Call& call, size_t input, RefTensor& y) {
  if (!call.has_input(input)) return {};
  const RefTensor& bias = call.input(input);
  if (bias.shape.rank() != 1 || bias.elements() != y.shape[1]) {
    return call.shape_error("bias " + bias.shape.to_string() + " does not fit the " +
                            std::to_string(y.shape[1]) + " maps");
  }
  const int64_t plane = product(y.shape, 2, y.shape.rank());
  for (int64_t i = 0; i < y.elements(); ++i) y[i] += bias[i / plane % y.shape[1]];
  return {};
}

Result<Outputs> conv(const Call& call) {
  OPKIT_CHECK(call.require_same_dtype());
  OPKIT_CHECK(call.require_float(0));
  OPKIT_TRY(RefTensor y, convolve(call, call.input(0), call.input(1), call.input(0).dtype));
  OPKIT_CHECK(add_bias(call, 2, y));
  return only(std::move(y));
}

// Sums are formed in double: products of such operands keep them exact.
Status require_narrow(const Call& call, size_t input) {
  OPKIT_CHECK(call.require_integer(input));
  if (bits_of(call.input(input).dtype) <= 16) return {};
  return call.error(kBadDType,
                    "input " + std::to_string(input) + " must have 16 bits or fewer per element",
                    "quantize to int8 or uint8");
}

// Zero points of w: one, or one per map.
Result<RefTensor> centred_weights(const Call& call, size_t input, size_t zero_point) {
  OPKIT_CHECK(require_narrow(call, input));
  RefTensor w = call.input(input);
  w.dtype = DType::kInt32;
  if (!call.has_input(zero_point) || w.shape.rank() == 0) return w;
  const RefTensor& zero = call.input(zero_point);
  if (zero.elements() != 1 && zero.elements() != w.shape[0]) {
    return call.shape_error("zero point " + zero.shape.to_string() + " does not fit w " +
                            w.shape.to_string());
  }
  const int64_t filter = product(w.shape, 1, w.shape.rank());
  for (int64_t i = 0; i < w.elements(); ++i) w[i] -= picked(zero, i / filter);
  return w;
}

Result<RefTensor> centred_input(const Call& call, size_t zero_point) {
  OPKIT_CHECK(require_narrow(call, 0));
  if (call.has_input(zero_point)) {
    OPKIT_TRY([[maybe_unused]] const double zero, call.scalar_of(zero_point));
  }
  return minus_zero_point(call, 0, zero_point, RowOrColumn::kRow);
}

Result<Outputs> conv_integer(const Call& call) {
  OPKIT_TRY(const RefTensor x, centred_input(call, 2));
  OPKIT_TRY(const RefTensor w, centred_weights(call, 1, 3));
  OPKIT_TRY(RefTensor y, convolve(call, x, w, DType::kInt32));
  for (double& value : y.values) {
    OPKIT_TRY(value, call.integer_result(DType::kInt32, static_cast<Wide>(value)));
  }
  return only(std::move(y));
}

// Inputs: x, its scale and zero point, w, its scale(s) and zero point(s), y's scale and zero point,
// the bias in int32 at scale x_scale * w_scale.
Result<Outputs> qlinear_conv(const Call& call) {
  OPKIT_TRY(const RefTensor x, centred_input(call, 2));
  OPKIT_TRY(const RefTensor w, centred_weights(call, 3, 5));
  OPKIT_TRY(const double x_scale, call.scalar_of(1));
  OPKIT_TRY(const double y_scale, call.scalar_of(6));
  OPKIT_TRY(const double y_zero, call.scalar_of(7));
  const RefTensor& w_scale = call.input(4);
  OPKIT_TRY(RefTensor y, convolve(call, x, w, DType::kInt32));
  if (w_scale.elements() != 1 && w_scale.elements() != y.shape[1]) {
    return call.shape_error("the scale of w does not fit its maps");
  }
  OPKIT_CHECK(add_bias(call, 8, y));
  y.dtype = call.input(7).dtype;
  const int64_t plane = product(y.shape, 2, y.shape.rank());
  for (int64_t i = 0; i < y.elements(); ++i) {
    const double real = y[i] * x_scale * picked(w_scale, i / plane % y.shape[1]);
    OPKIT_TRY(y[i], quantized(call, {y.dtype, call.input(6).dtype, y_scale, y_zero}, real));
  }
  return only(std::move(y));
}

}  // namespace

Operators conv_operators() {
  using enum AttributeKind;
  const std::vector<AttributeSpec> attributes = {{"auto_pad", kText}, {"dilations", kIntegers},
                                                 {"group", kInteger}, {"kernel_shape", kIntegers},
                                                 {"pads", kIntegers}, {"strides", kIntegers}};
  return {
      {"Conv", 2, 3, 1, attributes, conv},
      {"ConvInteger", 2, 4, 1, attributes, conv_integer},
      {"QLinearConv", 8, 9, 1, attributes, qlinear_conv},
  };
}

}  // namespace opkit::reference
