#ifndef OPKIT_INCLUDE_LIB_SORT_TOPK_H_
#define OPKIT_INCLUDE_LIB_SORT_TOPK_H_

#include "opkit/include/ascendc/advanced_topk.h"

#endif  // OPKIT_INCLUDE_LIB_SORT_TOPK_H_
