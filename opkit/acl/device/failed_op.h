// The operator that a task fails at, kept for whom the program's callback asks.
#ifndef OPKIT_ACL_DEVICE_FAILED_OP_H_
#define OPKIT_ACL_DEVICE_FAILED_OP_H_

#include "opkit/acl/streams/exception.h"
#include "opkit/call/plan/placed_call.h"

namespace opkit::acl {

// addresses: one for each tensor of the plan; nullptr for values that lie nowhere.
FailedOp failed_op(const CallPlan& plan, const CallAddresses& addresses);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_FAILED_OP_H_
