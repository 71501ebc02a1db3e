// A name under which kernels include the whole kernel-side API.
#ifndef OPKIT_INCLUDE_UTILS_DEBUG_ASC_DUMP_H_
#define OPKIT_INCLUDE_UTILS_DEBUG_ASC_DUMP_H_

#include "kernel_operator.h"

#endif  // OPKIT_INCLUDE_UTILS_DEBUG_ASC_DUMP_H_
