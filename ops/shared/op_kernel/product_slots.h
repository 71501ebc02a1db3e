// The slots of the workspace by which a cube core hands blocks of sums to its vector cores: both
// the kernel and the tiling function count them.
#ifndef OPS_SHARED_PRODUCT_SLOTS_H_
#define OPS_SHARED_PRODUCT_SLOTS_H_

#include <cstdint>

namespace product {

constexpr uint32_t kSlots = 4;  // counts the slots of a cube core

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_SLOTS_H_
