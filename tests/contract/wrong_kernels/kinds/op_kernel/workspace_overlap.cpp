// Gives each core a float of the workspace, though it stores a block of 32 bytes.
#include "all_cores.h"

class KernelWorkspaceOverlap : public AllCores<KernelWorkspaceOverlap> {
 public:
  __aicore__ inline uint32_t Pitch() const { return kRight ? kSlot : 1; }
};

extern "C" __global__ __aicore__ void workspace_overlap_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelWorkspaceOverlap op;
  op.Init(x, z, workspace, data);
  op.Process();
}
