// Exceptions: what a program's callback is told of tasks that fail, and the operators that the
// latest of them failed at.
#ifndef OPKIT_ACL_STREAMS_EXCEPTION_H_
#define OPKIT_ACL_STREAMS_EXCEPTION_H_

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opkit/acl/tensors/tensor_desc.h"

struct aclrtExceptionInfo {
  uint32_t task = 0, stream = 0, thread = 0, device = 0, code = 0;
};

namespace opkit::acl {

// What was wrong: a single operator, or one of a model.
struct FailedOp {
  std::string name;
  std::vector<aclTensorDesc> inputs, outputs;
};

// Threads may call everything at any time.
class Exceptions {
 public:
  void call(aclrtExceptionInfoCallback callback) { callback_ = callback; }

  // Notes that this thread begins a task, which has failed at no operator yet.
  static void begin();
  // The task that this thread runs fails at this operator; it is the step of this name.
  static void at(FailedOp op);
  static void named(std::string name);
  // The task that this thread has run failed.
  void tell(aclrtExceptionInfo info);

  // Finds the failed operator of a task among the latest kMostOps such tasks.
  std::optional<FailedOp> find(uint32_t stream, uint32_t task) const;

 private:
  static constexpr size_t kMostOps = 64;
  struct Kept {
    uint32_t stream, task;
    FailedOp op;
  };
  void keep(const aclrtExceptionInfo& info);

  std::atomic<aclrtExceptionInfoCallback> callback_{nullptr};
  mutable std::mutex mutex_;
  std::deque<Kept> ops_;
};

// Returns the program's, made on first use and never destroyed. Threads may call it at any time.
Exceptions& exceptions();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_EXCEPTION_H_
