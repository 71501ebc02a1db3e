// What every generated unit of a kernel includes first, so that the SDK can hold it precompiled
// (cmake/OpkitPrecompile.cmake). Scalar code calls sqrt() and names INFINITY and FLT_MAX: the
// device's compiler knows them by itself. It does not know INT_MAX, which kernels define.
#ifndef OPKIT_INCLUDE_OPKIT_KERNEL_PRELUDE_H_
#define OPKIT_INCLUDE_OPKIT_KERNEL_PRELUDE_H_

#include <math.h>

#include <cfloat>

#include "kernel_operator.h"
#include "opkit_kernel/unit.h"

#endif  // OPKIT_INCLUDE_OPKIT_KERNEL_PRELUDE_H_
