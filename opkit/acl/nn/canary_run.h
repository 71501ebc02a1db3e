// One call on the version that serves and, while another one is on trial, on that one, too.
#ifndef OPKIT_ACL_NN_CANARY_RUN_H_
#define OPKIT_ACL_NN_CANARY_RUN_H_

#include "opkit/acl/nn/nn_executor.h"

namespace opkit::acl {

// run() of the version that serves; what it gives and writes is the call's. The version on trial
// runs on copies of the call's memory as it was before, and its outputs decide: the same bits, or
// what its contract's reference allows, and it serves from then on. Without memory for the copies
// the trial waits for another call.
Result<bool> run_served(EmulatedDevice& device, const aclOpExecutor& executor, void* workspace,
                        uint64_t workspace_bytes);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_CANARY_RUN_H_
