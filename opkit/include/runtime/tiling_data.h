#ifndef OPKIT_INCLUDE_RUNTIME_TILING_DATA_H_
#define OPKIT_INCLUDE_RUNTIME_TILING_DATA_H_

#include "exe_graph/runtime/tiling_data.h"

#endif  // OPKIT_INCLUDE_RUNTIME_TILING_DATA_H_
