#include "opkit/reference/quantization.h"

#include <algorithm>
#include <cmath>

#include "opkit/reference/index.h"

namespace opkit::reference {

namespace {

struct Matrix {
  int64_t rows = 1, columns = 1;
};

Matrix matrix_of(const Shape& shape) {
  const size_t rank = shape.rank();
  return {rank < 2 ? 1 : shape[rank - 2], rank < 1 ? 1 : shape[rank - 1]};
}

}  // namespace

Status check_zero_point(const OperatorCall& call, size_t input, size_t zero_point,
                        RowOrColumn which) {
  if (!call.has_input(zero_point)) return {};
  const Shape &shape = call.input(input).shape, &zero = call.input(zero_point).shape;
  const Matrix matrix = matrix_of(shape);
  const int64_t wanted = which == RowOrColumn::kRow ? matrix.rows : matrix.columns;
  OPKIT_TRY(const int64_t elements, zero.checked_elements());
  if (elements == 1 || (zero.rank() == 1 && elements == wanted)) return {};
  return call.shape_error("zero point " + zero.to_string() + " does not fit " + shape.to_string());
}

Result<RefTensor> minus_zero_point(const OperatorCall& call, size_t input, size_t zero_point,
                                   RowOrColumn which) {
  OPKIT_CHECK(call.require_integer(input));
  RefTensor out = call.input(input);
  out.dtype = DType::kInt32;
  if (!call.has_input(zero_point)) return out;
  const Matrix matrix = matrix_of(out.shape);
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t row = i / matrix.columns % matrix.rows, column = i % matrix.columns;
    out[i] -= picked(call.input(zero_point), which == RowOrColumn::kRow ? row : column);
  }
  return out;
}

double picked(const RefTensor& values, int64_t position) {
  return values.elements() == 1 ? values[0] : values[position];
}

Result<double> quantized(const OperatorCall& call, const Quantization& q, double value) {
  const double level = std::nearbyint(rounded_to(q.scale_dtype, value / q.scale)) + q.zero_point;
  if (std::isnan(level)) {
    return call.error(kUndefinedResult, "a NaN has no quantized value", "remove the NaN");
  }
  return std::clamp(level, static_cast<double>(lowest_of(q.dtype)),
                    static_cast<double>(highest_of(q.dtype)));
}

}  // namespace opkit::reference
