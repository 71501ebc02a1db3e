#ifndef OPKIT_INCLUDE_LIB_ACTIVATION_SOFTMAX_H_
#define OPKIT_INCLUDE_LIB_ACTIVATION_SOFTMAX_H_

#include "opkit/include/ascendc/advanced_softmax.h"

#endif  // OPKIT_INCLUDE_LIB_ACTIVATION_SOFTMAX_H_
