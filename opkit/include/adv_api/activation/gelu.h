#ifndef OPKIT_INCLUDE_ADV_API_ACTIVATION_GELU_H_
#define OPKIT_INCLUDE_ADV_API_ACTIVATION_GELU_H_

#include "opkit/include/ascendc/advanced_activation.h"

#endif  // OPKIT_INCLUDE_ADV_API_ACTIVATION_GELU_H_
