// Names that the advanced calls and their host tiling helpers share. (Pages "ReduceSum", "TopK",
// "TopK Tiling", "TransData".)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_CONFIG_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_CONFIG_H_

#include "opkit/include/ascendc/data_format.h"

namespace AscendC {

// Axes of the source: A stays, R is reduced.
enum class ReducePattern : uint32_t {
  AR = 0,
  RA = 1,
  R,
  ARA,
  ARAR,
  ARARA,
  ARARAR,
  ARARARA,
  ARARARAR,
  ARARARARA,
  RAR,
  RARA,
  RARAR,
  RARARA,
  RARARAR,
  RARARARA,
};

enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_CONFIG_H_
