#ifndef OPKIT_INCLUDE_ADV_API_SORT_SORT_H_
#define OPKIT_INCLUDE_ADV_API_SORT_SORT_H_

#include "opkit/include/ascendc/vector_sort.h"

#endif  // OPKIT_INCLUDE_ADV_API_SORT_SORT_H_
