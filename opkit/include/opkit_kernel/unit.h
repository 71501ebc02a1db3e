// One compiled unit of a kernel: the source under the macros of one dtype column, one kind of core
// and, where the key must be a constant, one tiling key. A unit offers its entries as a table.
#ifndef OPKIT_INCLUDE_OPKIT_KERNEL_UNIT_H_
#define OPKIT_INCLUDE_OPKIT_KERNEL_UNIT_H_

#include "opkit/abi/plugin.h"

namespace opkit_kernel {

// Stand for an opk_task_type and for a tiling key until the library is loaded: which calls its
// linker found reached decides (ascendc/reach.h).
inline constexpr int32_t kTypeByReach = -2;
inline constexpr uint64_t kKeyByReach = OPK_ANY_TILING_KEY - 1;

struct Row {
  uint64_t key;       // or OPK_ANY_TILING_KEY, or kKeyByReach
  int32_t task_type;  // opk_task_type, or kTypeByReach
  opk_kernel_fn run;  // NULL: a launch of this type does not use this kind of core
};

struct Unit {
  const Row* rows;
  uint32_t count;
  const void* marks;  // what the unit's marks name (ascendc/reach.h)
};

// Tells whether a launch of this type has a core of this kind. A core that does both runs every
// launch.
constexpr bool runs_on(opk_core_kind kind, int64_t task_type) {
  const bool cube = task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
  const bool vector = task_type != OPK_TASK_AIC_ONLY && task_type != OPK_TASK_MIX_AIC_1_0;
  return kind == OPK_CORE_AIC ? cube : kind == OPK_CORE_AIV ? vector : true;
}

constexpr Row row(opk_core_kind kind, uint64_t key, int32_t task_type, opk_kernel_fn run) {
  return {key, task_type, runs_on(kind, task_type) ? run : nullptr};
}

}  // namespace opkit_kernel

#endif  // OPKIT_INCLUDE_OPKIT_KERNEL_UNIT_H_
