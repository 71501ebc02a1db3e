// aicpu::CpuKernelContext ("AI CPU API", Class CpuKernelContext): the call that Compute is asked to
// do. Tensors are counted in the order of the contract: one for each required or optional port,
// nullptr where an optional one is absent, as many as there are for a dynamic one.
#ifndef OPKIT_INCLUDE_AICPU_CPU_CONTEXT_H_
#define OPKIT_INCLUDE_AICPU_CPU_CONTEXT_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "aicpu/cpu_attr_value.h"
#include "aicpu/cpu_tensor.h"

namespace aicpu {

class CpuKernelContext {
 public:
  using Tensors = std::vector<std::unique_ptr<Tensor>>;

  CpuKernelContext(std::string op, Tensors inputs, Tensors outputs,
                   std::map<std::string, AttrValue> attrs)
      : op_(std::move(op)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        attrs_(std::move(attrs)) {}

  std::string GetOpType() const { return op_; }
  uint32_t GetInputsSize() const { return static_cast<uint32_t>(inputs_.size()); }
  uint32_t GetOutputsSize() const { return static_cast<uint32_t>(outputs_.size()); }
  // nullptr for a tensor or attribute that the call does not have.
  Tensor* Input(uint32_t index) const { return at(inputs_, index); }
  Tensor* Output(uint32_t index) const { return at(outputs_, index); }
  AttrValue* GetAttr(std::string name) const {
    const auto found = attrs_.find(name);
    return found == attrs_.end() ? nullptr : &found->second;
  }

  // What Compute said through CUST_KERNEL_LOG_WARNING and CUST_KERNEL_LOG_ERROR, from any thread.
  void opkit_say(const std::string& words) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (said_.size() < kMostSaid) said_ += (said_.empty() ? "" : "; ") + words;
  }
  std::string opkit_said() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return said_;
  }

 private:
  static constexpr size_t kMostSaid = 1024;

  static Tensor* at(const Tensors& tensors, uint32_t index) {
    return index < tensors.size() ? tensors[index].get() : nullptr;
  }

  std::string op_;
  Tensors inputs_, outputs_;
  mutable std::map<std::string, AttrValue> attrs_;
  std::mutex mutex_;
  std::string said_;
};

}  // namespace aicpu

#endif  // OPKIT_INCLUDE_AICPU_CPU_CONTEXT_H_
