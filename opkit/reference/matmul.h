// The matrix product with numpy's rules, used by MatMul, MatMulInteger and QLinearMatMul.
#ifndef OPKIT_REFERENCE_MATMUL_H_
#define OPKIT_REFERENCE_MATMUL_H_

#include "opkit/reference/call.h"

namespace opkit::reference {

// Operands of rank 1 are promoted and the added dim removed; leading dims broadcast. Integer
// operands (values, not dtypes) must keep every sum below 2^53, which the caller checks.
Result<RefTensor> matrix_product(const OperatorCall& call, const RefTensor& a, const RefTensor& b,
                                 DType dtype);

// Returns the shape of that product, or OPK-REF-006.
Result<Shape> matrix_product_shape(const OperatorCall& call, const Shape& a, const Shape& b);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_MATMUL_H_
