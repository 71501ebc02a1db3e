#include "opkit/acl/faults.h"

#include "opkit/acl/error.h"

namespace opkit::acl {

aclError Faults::keep(const char* what, aclError code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_.empty()) first_ = shown_text() + "\nopkit: a " + what + " failed";
  return code;
}

std::string Faults::report() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return first_;
}

void Faults::forget() {
  const std::lock_guard<std::mutex> lock(mutex_);
  first_.clear();
}

}  // namespace opkit::acl
