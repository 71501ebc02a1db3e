#ifndef OPKIT_INCLUDE_ADV_API_PAD_UNPAD_H_
#define OPKIT_INCLUDE_ADV_API_PAD_UNPAD_H_

#include "opkit/include/ascendc/advanced_pad.h"

#endif  // OPKIT_INCLUDE_ADV_API_PAD_UNPAD_H_
