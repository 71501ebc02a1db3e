// A name under which kernels include the whole kernel-side API.
#ifndef OPKIT_INCLUDE_BASIC_API_KERNEL_OPERATOR_BLOCK_SYNC_INTF_H_
#define OPKIT_INCLUDE_BASIC_API_KERNEL_OPERATOR_BLOCK_SYNC_INTF_H_

#include "kernel_operator.h"

#endif  // OPKIT_INCLUDE_BASIC_API_KERNEL_OPERATOR_BLOCK_SYNC_INTF_H_
