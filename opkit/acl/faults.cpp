#include "opkit/acl/faults.h"

#include "opkit/acl/error.h"

namespace opkit::acl {

aclError Faults::keep(const char* what, aclError code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (untold_.empty()) untold_ = shown_text() + "\nopkit: a " + what + " failed";
  return code;
}

aclError Faults::tell(aclError code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (told_.empty()) told_ = untold_;
  untold_.clear();
  return code;
}

void Faults::accept() {
  const std::lock_guard<std::mutex> lock(mutex_);
  told_.clear();
}

void Faults::read_results() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (untold_.empty()) untold_.swap(told_);
}

std::string Faults::report() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return untold_;
}

void Faults::forget() {
  const std::lock_guard<std::mutex> lock(mutex_);
  untold_.clear();
  told_.clear();
}

}  // namespace opkit::acl
