// Element types, formats and results of AI CPU operators ("AI CPU API", Data Types), with the
// numbers that graph interfaces have.
#ifndef OPKIT_INCLUDE_AICPU_CPU_TYPES_H_
#define OPKIT_INCLUDE_AICPU_CPU_TYPES_H_

#include <cstdint>

#include "graph/types.h"

namespace aicpu {

using ge::DataType;
using ge::DT_BF16;
using ge::DT_BOOL;
using ge::DT_DOUBLE;
using ge::DT_FLOAT;
using ge::DT_FLOAT16;
using ge::DT_INT16;
using ge::DT_INT32;
using ge::DT_INT4;
using ge::DT_INT64;
using ge::DT_INT8;
using ge::DT_UINT16;
using ge::DT_UINT32;
using ge::DT_UINT64;
using ge::DT_UINT8;
using ge::DT_UNDEFINED;

using ge::Format;
using ge::FORMAT_FRACTAL_NZ;
using ge::FORMAT_FRACTAL_Z;
using ge::FORMAT_NC1HWC0;
using ge::FORMAT_NCHW;
using ge::FORMAT_ND;
using ge::FORMAT_NHWC;

using ge::GetSizeByDataType;

// What Compute returns: 0 is success, everything else a failure.
enum KernelStatus : uint32_t {
  KERNEL_STATUS_OK = 0,
  KERNEL_STATUS_PARAM_INVALID = 1,
  KERNEL_STATUS_INNER_ERROR = 2,
};

}  // namespace aicpu

#endif  // OPKIT_INCLUDE_AICPU_CPU_TYPES_H_
