#ifndef OPKIT_INCLUDE_LIB_FILTER_SELECT_H_
#define OPKIT_INCLUDE_LIB_FILTER_SELECT_H_

#include "opkit/include/ascendc/advanced_filter.h"

#endif  // OPKIT_INCLUDE_LIB_FILTER_SELECT_H_
