// What examples include under ASCENDC_CPU_DEBUG: launches need nothing more than on the device.
#ifndef OPKIT_INCLUDE_CPU_DEBUG_LAUNCH_H_
#define OPKIT_INCLUDE_CPU_DEBUG_LAUNCH_H_

#include "tikicpulib.h"

#endif  // OPKIT_INCLUDE_CPU_DEBUG_LAUNCH_H_
