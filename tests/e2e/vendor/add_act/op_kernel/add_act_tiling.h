#ifndef ADD_ACT_TILING_H
#define ADD_ACT_TILING_H
#include <cstdint>

struct AddActTilingData {
  uint32_t total;  // elements
  uint32_t tile;
};
#endif
