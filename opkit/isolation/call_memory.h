// In the host: the tensors of a call in the memory that the worker sees.
#ifndef OPKIT_ISOLATION_CALL_MEMORY_H_
#define OPKIT_ISOLATION_CALL_MEMORY_H_

#include "opkit/call/execute/executor.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/isolation/lease.h"

namespace opkit::isolation {

class CallMemory {
 public:
  // Borrows the memory, the plan and the placement. `lease`: of a call that is not small, whose
  // tensors stay where they are.
  CallMemory(const SharedWithWorker& shared, const CallPlan& plan, const Placement& at,
             std::shared_ptr<const Lease> lease)
      : shared_(shared), plan_(plan), at_(at), lease_(std::move(lease)) {}
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  // Inputs, tiling data, poisoned outputs or what they start from (their inputs, `initial`,
  // InitValues), marks beside all that can be written. Tensors are as they are stored; those that
  // lie there already are not copied, those of a call with a lease lie there afterwards.
  void fill(Ports& stored, const Ports& initial);
  // Returns what the launch left, as it is stored: the outputs; inputs that the kernel writes, in
  // place of `stored`. Error: OPK-WORKER-010, a mark beside one of them has changed.
  Result<Ports> outputs() const;
  Status take_written(Ports& stored) const;
  // Takes the outputs to where the caller has placed the tensors.
  Status take_to(const CallAddresses& to) const;
  // Returns the bytes of outputs that are not poison any more; of what a kernel that was ended
  // left.
  uint64_t written() const;

 private:
  void settle(Tensor& tensor, const Slot& slot) const;
  void fill_input(const Slot& slot, const std::byte* from, uint64_t bytes) const;
  void fill_writable(const Slot& slot, const Tensor* start) const;
  Tensor copy_of(const Slot& slot, const TensorDesc& desc) const;
  Status take_to(void* to, const Slot& slot, const std::string& name) const;
  Status check_marks(const Slot& slot, const std::string& name) const;

  const SharedWithWorker& shared_;
  const CallPlan& plan_;
  const Placement& at_;
  std::shared_ptr<const Lease> lease_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CALL_MEMORY_H_
