// What every Ascend C kernel includes.
#ifndef OPKIT_INCLUDE_KERNEL_OPERATOR_H_
#define OPKIT_INCLUDE_KERNEL_OPERATOR_H_

#include "opkit/include/ascendc/absent.h"
#include "opkit/include/ascendc/absent_forms.h"
#include "opkit/include/ascendc/advanced.h"
#include "opkit/include/ascendc/base.h"
#include "opkit/include/ascendc/builtins.h"
#include "opkit/include/ascendc/copy.h"
#include "opkit/include/ascendc/cube.h"
#include "opkit/include/ascendc/group_barrier.h"
#include "opkit/include/ascendc/hccl.h"
#include "opkit/include/ascendc/list_tensor.h"
#include "opkit/include/ascendc/pipe.h"
#include "opkit/include/ascendc/scalar.h"
#include "opkit/include/ascendc/sync.h"
#include "opkit/include/ascendc/system.h"
#include "opkit/include/ascendc/tensor.h"
#include "opkit/include/ascendc/tensor_debug.h"
#include "opkit/include/ascendc/tensor_trait.h"
#include "opkit/include/ascendc/tiling.h"
#include "opkit/include/ascendc/vector.h"

#endif  // OPKIT_INCLUDE_KERNEL_OPERATOR_H_
