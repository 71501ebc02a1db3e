#ifndef OPKIT_INCLUDE_ADV_API_REDUCE_MEAN_H_
#define OPKIT_INCLUDE_ADV_API_REDUCE_MEAN_H_

#include "opkit/include/ascendc/advanced_reduce.h"

#endif  // OPKIT_INCLUDE_ADV_API_REDUCE_MEAN_H_
