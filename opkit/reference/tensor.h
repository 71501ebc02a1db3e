// What values a RefTensor may hold, and its way to and from stored tensors.
//
// Every integer a double cannot hold exactly (beyond 2^53) is refused where it enters or arises, so
// integer results are exact or an error, never nearly right.
#ifndef OPKIT_REFERENCE_TENSOR_H_
#define OPKIT_REFERENCE_TENSOR_H_

#include <vector>

#include "opkit/base/dtype.h"
#include "opkit/base/shape.h"
#include "opkit/base/status.h"
#include "opkit/base/tensor.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::reference {

using graph::RefTensor;

// Integers up to this magnitude are exact in a double.
inline constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53

// A signed 128-bit integer: holds every sum and product of two exact integers.
__extension__ typedef __int128 Wide;

// Signed or unsigned integers, int4 included, bool not.
bool is_integer(DType dtype);

// Smallest and largest integer of an integer dtype.
Wide lowest_of(DType dtype);
Wide highest_of(DType dtype);

// Tells whether the value is one that a tensor of that dtype may hold here: any for floats, 0 and 1
// for bool, an integer of the dtype's range up to 2^53 for integers.
bool is_value_of(DType dtype, double value);

// Returns the value modulo 2^bits, in the dtype's range (two's complement).
Wide wrapped(DType dtype, Wide value);

// Returns the nearest value of a floating dtype, ties to even; overflow gives infinity, underflow
// the nearest subnormal or zero; NaN stays NaN. One rounding from double, not by way of float.
// Other dtypes: the value unchanged.
double rounded_to(DType dtype, double value);

// Exact, or OPK-REF-008 when an integer lies beyond 2^53.
Result<RefTensor> from_tensor(const Tensor& tensor);
// Rounds floats with rounded_to. An integer dtype with a value that is no integer of its range is
// OPK-REF-008.
Result<Tensor> to_tensor(const RefTensor& tensor);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_TENSOR_H_
