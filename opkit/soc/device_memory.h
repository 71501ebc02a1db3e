// What the device memory of a chip is made of.
#ifndef OPKIT_SOC_DEVICE_MEMORY_H_
#define OPKIT_SOC_DEVICE_MEMORY_H_

#include "opkit/soc/soc_spec.h"

namespace opkit {

// Reads memory.kind of the chip's file: HBM, else DDR. REQUIRES: an embedded spec.
bool has_hbm(const SocSpec& spec);

}  // namespace opkit

#endif  // OPKIT_SOC_DEVICE_MEMORY_H_
