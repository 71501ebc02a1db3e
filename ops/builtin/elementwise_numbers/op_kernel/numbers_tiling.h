#ifndef ELEMENTWISE_NUMBERS_TILING_H_
#define ELEMENTWISE_NUMBERS_TILING_H_

#include "elementwise_tiling.h"

constexpr uint32_t kMostNumbers = 4;

struct NumbersTilingData {
  ElementwiseTiling view;
  float number[kMostNumbers];  // the attributes, in their order
};

#endif  // ELEMENTWISE_NUMBERS_TILING_H_
