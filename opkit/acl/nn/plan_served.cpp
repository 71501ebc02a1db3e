#include "opkit/acl/nn/plan_served.h"

#include <utility>

namespace opkit::acl {

aclError plan_served(const ServedOp& served, const PlanBy& plan,
                     std::unique_ptr<aclOpExecutor>& executor) {
  const aclError code = plan(served.op, executor);
  if (!served.canary) return code;
  std::unique_ptr<aclOpExecutor> trial;
  const aclError trial_code = plan(served.canary->now(), trial);
  if (trial_code != ACL_SUCCESS) {
    if (code == ACL_SUCCESS) served.canary->refuse(take_text());
    return code == ACL_SUCCESS ? ACL_SUCCESS : trial_code;
  }
  if (code != ACL_SUCCESS) {
    take_text();
    executor = std::move(trial);
    return ACL_SUCCESS;
  }
  executor->canary = served.canary;
  executor->trial = std::move(trial);
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
