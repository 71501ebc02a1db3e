// Scales and zero points.
#ifndef OPKIT_REFERENCE_QUANTIZATION_H_
#define OPKIT_REFERENCE_QUANTIZATION_H_

#include "opkit/reference/call.h"

namespace opkit::reference {

// Which dim of a matrix a list of zero points or scales belongs to.
enum class RowOrColumn { kRow, kColumn };

// The zero point of an input is absent, one value, one per row (dim -2) or one per column (dim -1).
Status check_zero_point(const OperatorCall& call, size_t input, size_t zero_point,
                        RowOrColumn which);

// Integers minus their zero point, as int32. REQUIRES: check_zero_point; an absent one is 0.
Result<RefTensor> minus_zero_point(const OperatorCall& call, size_t input, size_t zero_point,
                                   RowOrColumn which);

// Returns one value, or one per element of a dim; `position` picks among them. REQUIRES: one
// element or more than position.
double picked(const RefTensor& values, int64_t position);

// How a result is quantized. The quotient value / scale has the scale's type: ONNX defines
// quantization in it, and what is a tie there would be none in double.
struct Quantization {
  DType dtype;
  DType scale_dtype;
  double scale;
  double zero_point;
};

// round-half-even(value / scale) + zero_point, saturated to the dtype's range. A NaN is refused.
Result<double> quantized(const OperatorCall& call, const Quantization& q, double value);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_QUANTIZATION_H_
