#include "opkit/acl/nn/canary.h"

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
  tell_refused(now_->package, before_->package, why);
}

}  // namespace opkit::acl
