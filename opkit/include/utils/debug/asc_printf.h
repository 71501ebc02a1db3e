// A name under which kernels include the whole kernel-side API.
#ifndef OPKIT_INCLUDE_UTILS_DEBUG_ASC_PRINTF_H_
#define OPKIT_INCLUDE_UTILS_DEBUG_ASC_PRINTF_H_

#include "kernel_operator.h"

#endif  // OPKIT_INCLUDE_UTILS_DEBUG_ASC_PRINTF_H_
