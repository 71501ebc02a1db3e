// The path of newer documents for lib/matmul_intf.h.
#ifndef OPKIT_INCLUDE_LIB_MATMUL_MATMUL_INTF_H_
#define OPKIT_INCLUDE_LIB_MATMUL_MATMUL_INTF_H_

#include "lib/matmul_intf.h"

#endif  // OPKIT_INCLUDE_LIB_MATMUL_MATMUL_INTF_H_
