// Reads the other cores' sums without waiting for them.
#include "all_cores.h"

class KernelSyncAll : public AllCores<KernelSyncAll> {
 public:
  __aicore__ inline void Wait() {
    if constexpr (kRight)
      SyncAll();
    else
      PipeBarrier<PIPE_ALL>();
  }
};

extern "C" __global__ __aicore__ void sync_all_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSyncAll op;
  op.Init(x, z, workspace, data);
  op.Process();
}
