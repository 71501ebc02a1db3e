// The tiling helpers of the advanced API.
#ifndef OPKIT_INCLUDE_TILING_TILING_API_H_
#define OPKIT_INCLUDE_TILING_TILING_API_H_

#include "opkit/abi/num/half.h"
#include "opkit_host/buffer_sizes.h"
#include "opkit_host/call_sizes.h"
#include "opkit_host/norm_tilings.h"
#include "opkit_host/row_tilings.h"
#include "securec.h"
#include "tiling/matmul/matmul_tiling.h"

// No page gives it to host code; published hosts ask for its size.
using half = opkit::Half;

#endif  // OPKIT_INCLUDE_TILING_TILING_API_H_
