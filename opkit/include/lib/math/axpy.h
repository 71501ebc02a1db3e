#ifndef OPKIT_INCLUDE_LIB_MATH_AXPY_H_
#define OPKIT_INCLUDE_LIB_MATH_AXPY_H_

#include "opkit/include/ascendc/advanced_math.h"

#endif  // OPKIT_INCLUDE_LIB_MATH_AXPY_H_
