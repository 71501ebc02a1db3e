#ifndef OPKIT_INCLUDE_LIB_MATH_CUMSUM_H_
#define OPKIT_INCLUDE_LIB_MATH_CUMSUM_H_

#include "opkit/include/ascendc/advanced_cumsum.h"

#endif  // OPKIT_INCLUDE_LIB_MATH_CUMSUM_H_
