// What both sides know of sorting in the vector unit.
#ifndef OPS_SHARED_SORT_TILING_H_
#define OPS_SHARED_SORT_TILING_H_

#include <cstdint>

constexpr uint32_t kSortGroup = 32;  // elements that it sorts at once: page "Sort32"
constexpr uint32_t kSortLists = 4;   // that it merges: page "MrgSort"

#endif  // OPS_SHARED_SORT_TILING_H_
