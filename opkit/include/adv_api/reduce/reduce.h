#ifndef OPKIT_INCLUDE_ADV_API_REDUCE_REDUCE_H_
#define OPKIT_INCLUDE_ADV_API_REDUCE_REDUCE_H_

#include "opkit/include/ascendc/advanced_reduce_axis.h"

#endif  // OPKIT_INCLUDE_ADV_API_REDUCE_REDUCE_H_
