#ifndef OPKIT_INCLUDE_LIB_REDUCE_REDUCE_H_
#define OPKIT_INCLUDE_LIB_REDUCE_REDUCE_H_

#include "opkit/include/ascendc/advanced_reduce_axis.h"

#endif  // OPKIT_INCLUDE_LIB_REDUCE_REDUCE_H_
