// The Matmul object under the name that kernels include.
#ifndef OPKIT_INCLUDE_LIB_MATMUL_INTF_H_
#define OPKIT_INCLUDE_LIB_MATMUL_INTF_H_

#include "opkit/include/ascendc/matmul_regist.h"

#endif  // OPKIT_INCLUDE_LIB_MATMUL_INTF_H_
