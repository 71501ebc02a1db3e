// The tiling structs under its older path.
#ifndef OPKIT_INCLUDE_LIB_MATRIX_MATMUL_TILING_H_
#define OPKIT_INCLUDE_LIB_MATRIX_MATMUL_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

#endif  // OPKIT_INCLUDE_LIB_MATRIX_MATMUL_TILING_H_
