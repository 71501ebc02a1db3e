// A name under which kernels include the whole kernel-side API.
#ifndef OPKIT_INCLUDE_KERNEL_STRUCT_UNARY_H_
#define OPKIT_INCLUDE_KERNEL_STRUCT_UNARY_H_

#include "kernel_operator.h"

#endif  // OPKIT_INCLUDE_KERNEL_STRUCT_UNARY_H_
