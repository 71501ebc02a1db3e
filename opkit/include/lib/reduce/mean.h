#ifndef OPKIT_INCLUDE_LIB_REDUCE_MEAN_H_
#define OPKIT_INCLUDE_LIB_REDUCE_MEAN_H_

#include "opkit/include/ascendc/advanced_reduce.h"

#endif  // OPKIT_INCLUDE_LIB_REDUCE_MEAN_H_
