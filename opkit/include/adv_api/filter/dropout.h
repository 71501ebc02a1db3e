#ifndef OPKIT_INCLUDE_ADV_API_FILTER_DROPOUT_H_
#define OPKIT_INCLUDE_ADV_API_FILTER_DROPOUT_H_

#include "opkit/include/ascendc/advanced_filter.h"

#endif  // OPKIT_INCLUDE_ADV_API_FILTER_DROPOUT_H_
