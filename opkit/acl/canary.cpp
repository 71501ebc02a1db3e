#include "opkit/acl/canary.h"

#include <cstdio>

namespace opkit::acl {

void tell_refused(const registry::Package& now, const registry::Package& before,
                  const std::string& why) {
  const Error error("OPK-ACLNN-005",
                    now.to_string() + " was on trial and does not serve this program, " +
                        before.to_string() + " goes on: " + why,
                    "correct it and install it again; OPKIT_CANARY=0 takes versions untried");
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
}

Canary::Verdict Canary::verdict() const {
  const std::lock_guard lock(mutex_);
  return verdict_;
}

void Canary::promote() {
  const std::lock_guard lock(mutex_);
  if (verdict_ == Verdict::kOpen) verdict_ = Verdict::kPromoted;
}

void Canary::refuse(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (verdict_ != Verdict::kOpen) return;
  verdict_ = Verdict::kRefused;
  tell_refused(now_->plugin.package(), before_->plugin.package(), why);
}

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
