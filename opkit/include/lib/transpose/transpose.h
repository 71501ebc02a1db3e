#ifndef OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSPOSE_H_
#define OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSPOSE_H_

#include "opkit/include/ascendc/advanced_transpose.h"

#endif  // OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSPOSE_H_
