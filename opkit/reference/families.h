// The families of operators: each file offers the rows of its family. Private to this folder.
#ifndef OPKIT_REFERENCE_FAMILIES_H_
#define OPKIT_REFERENCE_FAMILIES_H_

#include "opkit/reference/operator.h"

namespace opkit::reference {

Operators arithmetic_operators();
Operators math_operators();
Operators logic_operators();
Operators activation_operators();
Operators softmax_operators();
Operators matmul_operators();
Operators einsum_operators();
Operators conv_operators();
Operators conv_transpose_operators();
Operators normalization_operators();
Operators pooling_operators();
Operators reduce_operators();
Operators search_operators();
Operators shape_operators();
Operators arrange_operators();
Operators pad_operators();
Operators slice_operators();
Operators gather_operators();
Operators scatter_operators();
Operators generate_operators();
Operators cast_operators();
Operators quantize_operators();
Operators resize_operators();
Operators recurrent_operators();
Operators loss_operators();
Operators sample_operators();
Operators window_function_operators();
Operators fourier_operators();
Operators detection_operators();
Operators determinant_operators();
Operators unpool_operators();

inline constexpr Operators (*kFamilies[])() = {
    arithmetic_operators,    math_operators,        logic_operators,
    activation_operators,    softmax_operators,     matmul_operators,
    einsum_operators,        conv_operators,        conv_transpose_operators,
    normalization_operators, pooling_operators,     reduce_operators,
    search_operators,        shape_operators,       arrange_operators,
    pad_operators,           slice_operators,       gather_operators,
    scatter_operators,       generate_operators,    cast_operators,
    quantize_operators,      resize_operators,      recurrent_operators,
    loss_operators,          sample_operators,      window_function_operators,
    detection_operators,     determinant_operators, unpool_operators,
    fourier_operators};

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_FAMILIES_H_
