/* Element types, formats and memories as numbers that may cross the plugin boundary. C11, no
 * dependencies. Numbers never change; new ones are appended.
 *
 * The dtype and format numbers are the vendor's (CANN "DataType" and "Format" enumerations), so
 * that a plugin built from vendor-style sources and the host agree without a table. */
#ifndef OPKIT_ABI_TYPES_H_
#define OPKIT_ABI_TYPES_H_

#include <stdint.h>

/* Version of everything under opkit/abi. Raised when a layout changes in any way but tail growth.
 */
#define OPK_ABI_VERSION 1u

typedef enum opk_dtype {
  OPK_FLOAT32 = 0,
  OPK_FLOAT16 = 1,
  OPK_INT8 = 2,
  OPK_INT32 = 3,
  OPK_UINT8 = 4,
  OPK_INT16 = 6,
  OPK_UINT16 = 7,
  OPK_UINT32 = 8,
  OPK_INT64 = 9,
  OPK_UINT64 = 10,
  OPK_FLOAT64 = 11,
  OPK_BOOL = 12,
  OPK_BFLOAT16 = 27,
  OPK_INT4 = 29, /* two elements per byte, low nibble first */
  OPK_DTYPE_UNDEFINED = 255
} opk_dtype;

typedef enum opk_format {
  OPK_FORMAT_NCHW = 0,
  OPK_FORMAT_NHWC = 1,
  OPK_FORMAT_ND = 2,
  OPK_FORMAT_NC1HWC0 = 3,
  OPK_FORMAT_FRACTAL_Z = 4,
  OPK_FORMAT_FRACTAL_NZ = 29
} opk_format;

/* The memories of one emulated core, in the order of the vendor's `Hardware` enumeration. */
typedef enum opk_memory {
  OPK_MEM_GM = 0,
  OPK_MEM_UB = 1,
  OPK_MEM_L1 = 2,
  OPK_MEM_L0A = 3,
  OPK_MEM_L0B = 4,
  OPK_MEM_L0C = 5,
  OPK_MEM_BT = 6, /* bias table */
  OPK_MEM_FB = 7, /* fixpipe buffer */
  OPK_MEM_COUNT = 8
} opk_memory;

/* Pipes of a core, in the order of the vendor's `pipe_t`. */
typedef enum opk_pipe {
  OPK_PIPE_S = 0,
  OPK_PIPE_V = 1,
  OPK_PIPE_M = 2,
  OPK_PIPE_MTE1 = 3,
  OPK_PIPE_MTE2 = 4,
  OPK_PIPE_MTE3 = 5,
  OPK_PIPE_ALL = 6,
  OPK_PIPE_FIX = 10,
  OPK_PIPE_COUNT = 11
} opk_pipe;

/* What one emulated core is: cube core, vector core, or both in one (chips without the split). */
typedef enum opk_core_kind { OPK_CORE_AIC = 0, OPK_CORE_AIV = 1, OPK_CORE_MIX = 2 } opk_core_kind;

/* How a launch maps blocks to cores (the vendor's KERNEL_TASK_TYPE values). */
typedef enum opk_task_type {
  OPK_TASK_AIV_ONLY = 0,
  OPK_TASK_AIC_ONLY = 1,
  OPK_TASK_MIX_1_1 = 2,     /* one AIC with one AIV per block */
  OPK_TASK_MIX_1_2 = 3,     /* one AIC with two AIVs per block */
  OPK_TASK_MIX_AIC_1_0 = 4, /* mixed launch whose vector cores stay idle */
  OPK_TASK_MIX_AIV_1_0 = 5  /* mixed launch whose cube cores stay idle */
} opk_task_type;

#endif /* OPKIT_ABI_TYPES_H_ */
