#ifndef OPKIT_INCLUDE_TILING_TEMPLATE_ARGUMENT_H_
#define OPKIT_INCLUDE_TILING_TEMPLATE_ARGUMENT_H_

#include "ascendc/host_api/tiling/template_argument.h"

#endif  // OPKIT_INCLUDE_TILING_TEMPLATE_ARGUMENT_H_
