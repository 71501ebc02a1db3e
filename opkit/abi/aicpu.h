/* Kernels that run on a processor of the host, in place of the chip's AICPU: one block, plain C++,
 * tensors by pointer. They are rows of opk_op_v1::kernels like any other, so that every host plans,
 * places and launches them alike; what watches instructions sees none of theirs. */
#ifndef OPKIT_ABI_AICPU_H_
#define OPKIT_ABI_AICPU_H_

#include "opkit/abi/types.h"

/* The task_type of such a row, beyond opk_task_type. `aiv` and `mix` hold the entry. */
#define OPK_TASK_AICPU 64

#endif /* OPKIT_ABI_AICPU_H_ */
