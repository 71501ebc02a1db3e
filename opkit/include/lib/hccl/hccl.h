#ifndef OPKIT_INCLUDE_LIB_HCCL_HCCL_H_
#define OPKIT_INCLUDE_LIB_HCCL_HCCL_H_

#include "opkit/include/ascendc/hccl.h"

#endif  // OPKIT_INCLUDE_LIB_HCCL_HCCL_H_
