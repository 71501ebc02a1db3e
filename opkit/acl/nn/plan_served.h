// One call planned by the version that serves and, while another one is on trial, by that one, too.
#ifndef OPKIT_ACL_NN_PLAN_SERVED_H_
#define OPKIT_ACL_NN_PLAN_SERVED_H_

#include <functional>
#include <memory>

#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/nn/nn_ops.h"

namespace opkit::acl {

// Plans a call by one version of the op. Returns a code of the API, whose text aclGetRecentErrMsg
// then has.
using PlanBy = std::function<aclError(const std::shared_ptr<const OpenedOp>&,
                                      std::unique_ptr<aclOpExecutor>&)>;

// Plans a call for who serves it and, on trial, for the newer version, too: one that cannot plan
// what the one before can is refused. A call that only the newer one can plan it serves alone.
aclError plan_served(const ServedOp& served, const PlanBy& plan,
                     std::unique_ptr<aclOpExecutor>& executor);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_PLAN_SERVED_H_
