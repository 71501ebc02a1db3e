// A name under which kernels include the whole kernel-side API.
#ifndef OPKIT_INCLUDE_KERNEL_OPERATOR_LAYOUT_H_
#define OPKIT_INCLUDE_KERNEL_OPERATOR_LAYOUT_H_

#include "kernel_operator.h"

#endif  // OPKIT_INCLUDE_KERNEL_OPERATOR_LAYOUT_H_
