// What the first of two aclnn calls makes and the second one runs.
#ifndef OPKIT_ACL_NN_NN_EXECUTOR_H_
#define OPKIT_ACL_NN_NN_EXECUTOR_H_

#include <memory>

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/nn_arguments.h"

struct aclOpExecutor {
  std::shared_ptr<const opkit::OpenedOp> op;  // outlives what is below: the plan borrows of it
  std::shared_ptr<const opkit::CallPlan> plan;
  opkit::acl::NnArguments arguments;
  bool repeatable = false;
  // Holds this call by a newer version that is on trial; null: none is.
  std::shared_ptr<opkit::acl::Canary> canary;
  std::shared_ptr<const aclOpExecutor> trial;

  const opkit::OpContract& contract() const { return op->contract; }
  uint64_t workspace_bytes() const { return plan->tiling.workspace_bytes(); }
};

namespace opkit::acl {

// Errors: plan_call's; OPK-ACLNN-001 an output whose dtype, format or number of tensors the op does
// not give.
Result<std::unique_ptr<aclOpExecutor>> make_executor(std::shared_ptr<const OpenedOp> op,
                                                     const SocSpec& soc, NnArguments arguments);

// Checks whether run() would find its memory now: OPK-ACLNN-003 as there.
Status check(const EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
             uint64_t workspace_bytes);

// One launch on the device, in the order of the stream that calls. Views that are not contiguous
// are copied to and from dense memory. Errors: OPK-ACLNN-003 a tensor or the workspace is no device
// memory of its size, or a view of a private format; PlacedCall::place's. False: the kernel was
// wrong, and stderr says so.
Result<bool> run(EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
                 uint64_t workspace_bytes);

// The code for a handle that is no executor; its text says why.
aclnnStatus no_executor(const aclOpExecutor* executor);

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclOpExecutor>& executors();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_EXECUTOR_H_
