// Which kind of processor runs an op: the chip's AI cores, or a processor of the host.
#ifndef OPKIT_CONTRACT_KERNEL_KIND_H_
#define OPKIT_CONTRACT_KERNEL_KIND_H_

#include "opkit/contract/op_contract.h"

namespace opkit {

inline constexpr const char* kAicpuTask = "aicpu";  // kernel.task_type of the contract

inline bool is_aicpu(const OpContract& contract) {
  return contract.kernel && contract.kernel->task_type == kAicpuTask;
}

}  // namespace opkit

#endif  // OPKIT_CONTRACT_KERNEL_KIND_H_
