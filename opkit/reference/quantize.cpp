// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear, QLinearMatMul. (QLinearConv: conv.cpp.)
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/matmul.h"
#include "opkit/reference/quantization.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

// How many elements in a row share a position along the axis, and how many positions there are.
struct AxisLayout {
  int64_t inner = 1;
  int64_t count = 1;
  int64_t position(int64_t i) const { return i / inner % count; }
};

// Per tensor when the scale has one element, else per position of the axis attribute (default 1).
Result<AxisLayout> scale_layout(const OperatorCall& call) {
  const Shape &shape = call.input(0).shape, &scale = call.input(1).shape;
  OPKIT_TRY(const int64_t scales, scale.checked_elements());
  if (call.has_input(2)) {
    OPKIT_TRY(const int64_t zeros, call.input(2).shape.checked_elements());
    if (zeros != scales) return call.shape_error("scale and zero point differ in size");
  }
  if (scales == 1) return AxisLayout{};
  if (call.integer("block_size") != 0) return call.not_implemented("blocked quantization");
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  if (scale.rank() != 1 || scales != shape[axis]) {
    return call.shape_error("scale " + scale.to_string() + " does not fit axis " +
                            std::to_string(axis) + " of " + shape.to_string());
  }
  return AxisLayout{product(shape, axis + 1, shape.rank()), shape[axis]};
}

double zero_point(const OperatorCall& call, int64_t position) {
  return call.has_input(2) ? picked(call.input(2), position) : 0;
}

Result<Outputs> quantize(const OperatorCall& call) {
  OPKIT_TRY(const AxisLayout layout, scale_layout(call));
  OPKIT_TRY(RefTensor out, call.result());
  const DType dtype = out.dtype;
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t p = layout.position(i);
    OPKIT_TRY(
        out[i],
        quantized(call, {dtype, call.input(1).dtype, picked(call.input(1), p), zero_point(call, p)},
                  call.input(0)[i]));
  }
  return only(std::move(out));
}

Result<Outputs> dequantize(const OperatorCall& call) {
  OPKIT_TRY(const AxisLayout layout, scale_layout(call));
  OPKIT_TRY(RefTensor out, call.result());
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t p = layout.position(i);
    out[i] = (call.input(0)[i] - zero_point(call, p)) * picked(call.input(1), p);
  }
  return only(std::move(out));
}

// Quantizes to uint8 over the range of x widened to contain 0. ONNX defines it in binary32; scale
// and zero point are rounded to it, because the quantized values depend on them.
Result<Outputs> dynamic_quantize(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  double low = 0, high = 0;
  for (double value : x.values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double scale = rounded_to(DType::kFloat32, (high - low) / 255);
  const double zero = scale == 0 ? 0 : std::nearbyint(std::clamp(-low / scale, 0.0, 255.0));
  OPKIT_TRY(RefTensor y, call.make(DType::kUInt8, x.shape));
  for (int64_t i = 0; i < x.elements(); ++i) {
    if (scale == 0) continue;
    OPKIT_TRY(y[i], quantized(call, {DType::kUInt8, DType::kFloat32, scale, zero}, x[i]));
  }
  return Outputs{std::move(y), RefTensor{DType::kFloat32, Shape{}, {scale}},
                 RefTensor{DType::kUInt8, Shape{}, {zero}}};
}

// Inputs: a, its scale and zero point, b, its scale and zero point, y's scale and zero point.
Result<Outputs> qlinear_matmul(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor a, minus_zero_point(call, 0, 2, RowOrColumn::kRow));
  OPKIT_TRY(const RefTensor b, minus_zero_point(call, 3, 5, RowOrColumn::kColumn));
  OPKIT_TRY(RefTensor y, matrix_product(call, a, b, DType::kInt64));
  const RefTensor &a_scale = call.input(1), &b_scale = call.input(4);
  const int64_t columns = y.shape[y.shape.rank() - 1], rows = y.shape[y.shape.rank() - 2];
  OPKIT_TRY(const double y_scale, call.scalar_of(6));
  OPKIT_TRY(const double y_zero, call.scalar_of(7));
  y.dtype = call.input(7).dtype;
  for (int64_t i = 0; i < y.elements(); ++i) {
    const double real = y[i] * picked(a_scale, i / columns % rows) * picked(b_scale, i % columns);
    OPKIT_TRY(y[i], quantized(call, {y.dtype, call.input(6).dtype, y_scale, y_zero}, real));
  }
  return only(std::move(y));
}

// Since version 21 an attribute may name the result's type; 0 is none.
Result<DType> stated_type(const OperatorCall& call) {
  if (call.integer("output_dtype", 0) == 0) return DType::kUInt8;
  return type_attribute(call, "output_dtype", DType::kUInt8);
}

Result<DTypes> quantized_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(1));
  OPKIT_TRY(const DType stated, stated_type(call));
  const DType dtype = call.has_input(2) ? call.input(2).dtype : stated;
  if (!is_integer(dtype)) return call.not_implemented("quantization to a float type");
  return DTypes{dtype};
}

Result<DTypes> dequantized_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_integer(0));
  OPKIT_CHECK(call.require_float(1));
  return DTypes{call.input(1).dtype};
}

Result<Shapes> scaled_shape(const OperatorCall& call) {
  OPKIT_TRY([[maybe_unused]] const AxisLayout layout, scale_layout(call));
  return first_shape(call);
}

Result<DTypes> dynamic_types(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return DTypes{DType::kUInt8, DType::kFloat32, DType::kUInt8};
}

Result<Shapes> dynamic_shapes(const OperatorCall& call) {
  return Shapes({call.input(0).shape, Shape{}, Shape{}});
}

Result<DTypes> qlinear_matmul_type(const OperatorCall& call) {
  for (const size_t i : {0, 3}) OPKIT_CHECK(call.require_integer(i));
  return DTypes{call.input(7).dtype};
}

Result<Shapes> qlinear_matmul_shape(const OperatorCall& call) {
  OPKIT_CHECK(check_zero_point(call, 0, 2, RowOrColumn::kRow));
  OPKIT_CHECK(check_zero_point(call, 3, 5, RowOrColumn::kColumn));
  for (const size_t i : {6, 7}) OPKIT_CHECK(call.require_one_element(i));
  const Shape &a = call.input(0).shape, &b = call.input(3).shape;
  OPKIT_TRY(Shape shape, matrix_product_shape(call, a, b));
  if (a.rank() < 2 || b.rank() < 2) return call.not_implemented("operands of rank 1");
  OPKIT_TRY(const int64_t a_scales, call.input(1).shape.checked_elements());
  OPKIT_TRY(const int64_t b_scales, call.input(4).shape.checked_elements());
  const int64_t columns = shape[shape.rank() - 1], rows = shape[shape.rank() - 2];
  if ((a_scales != 1 && a_scales != rows) || (b_scales != 1 && b_scales != columns))
    return call.shape_error("a scale does not fit its operand");
  return checked(call, std::move(shape));
}

}  // namespace

Operators quantize_operators() {
  const std::vector<AttributeSpec> linear = {integer("axis", 1), integer("saturate"),
                                             integer("block_size", 0), integer("output_dtype")};
  return {
      {.name = "QuantizeLinear",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = linear,
       .evaluate = quantize,
       .types = quantized_type,
       .shapes = scaled_shape,
       .bound = Bound::by(BoundRule::kCast, "correctly rounded")},
      {.name = "DequantizeLinear",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = linear,
       .evaluate = dequantize,
       .types = dequantized_type,
       .shapes = scaled_shape,
       .bound = Bound::composed()},
      {.name = "DynamicQuantizeLinear",
       .most_outputs = 3,
       .evaluate = dynamic_quantize,
       .types = dynamic_types,
       .shapes = dynamic_shapes},
      {.name = "QLinearMatMul",
       .least_inputs = 8,
       .most_inputs = 8,
       .evaluate = qlinear_matmul,
       .types = qlinear_matmul_type,
       .shapes = qlinear_matmul_shape},
  };
}

}  // namespace opkit::reference
