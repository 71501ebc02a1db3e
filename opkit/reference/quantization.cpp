#include "opkit/reference/quantization.h"

#include <algorithm>
#include <cmath>

#include "opkit/reference/index.h"

namespace opkit::reference {

Result<RefTensor> minus_zero_point(const Call& call, size_t input, size_t zero_point,
                                   RowOrColumn which) {
  OPKIT_CHECK(call.require_integer(input));
  RefTensor out = call.input(input);
  out.dtype = DType::kInt32;
  if (!call.has_input(zero_point)) return out;
  const RefTensor& zero = call.input(zero_point);
  const size_t rank = out.shape.rank();
  const int64_t columns = rank < 1 ? 1 : out.shape[rank - 1];
  const int64_t rows = rank < 2 ? 1 : out.shape[rank - 2];
  const int64_t wanted = which == RowOrColumn::kRow ? rows : columns;
  if (zero.elements() != 1 && (zero.shape.rank() != 1 || zero.elements() != wanted)) {
    return call.shape_error("zero point " + zero.shape.to_string() + " does not fit " +
                            out.shape.to_string());
  }
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t position = which == RowOrColumn::kRow ? i / columns % rows : i % columns;
    out[i] -= picked(zero, position);
  }
  return out;
}

double picked(const RefTensor& values, int64_t position) {
  return values.elements() == 1 ? values[0] : values[position];
}

Result<double> quantized(const Call& call, const Quantization& q, double value) {
  const double level = std::nearbyint(rounded_to(q.scale_dtype, value / q.scale)) + q.zero_point;
  if (std::isnan(level)) {
    return call.error(kUndefinedResult, "a NaN has no quantized value", "remove the NaN");
  }
  return std::clamp(level, static_cast<double>(lowest_of(q.dtype)),
                    static_cast<double>(highest_of(q.dtype)));
}

}  // namespace opkit::reference
