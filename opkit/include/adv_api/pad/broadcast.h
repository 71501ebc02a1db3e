#ifndef OPKIT_INCLUDE_ADV_API_PAD_BROADCAST_H_
#define OPKIT_INCLUDE_ADV_API_PAD_BROADCAST_H_

#include "opkit/include/ascendc/advanced_broadcast.h"

#endif  // OPKIT_INCLUDE_ADV_API_PAD_BROADCAST_H_
