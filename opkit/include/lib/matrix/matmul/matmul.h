// The Matmul object under its older path.
#ifndef OPKIT_INCLUDE_LIB_MATRIX_MATMUL_MATMUL_H_
#define OPKIT_INCLUDE_LIB_MATRIX_MATMUL_MATMUL_H_

#include "lib/matmul_intf.h"

#endif  // OPKIT_INCLUDE_LIB_MATRIX_MATMUL_MATMUL_H_
