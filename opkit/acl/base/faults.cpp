#include "opkit/acl/base/faults.h"

#include <cstdio>
#include <cstdlib>

namespace opkit::acl {
namespace {

// A program that ignores the codes of its calls must not look like one that succeeded.
void end_of_process(int status, void*) {
  const std::string report = faults().report();
  if (status != 0 || report.empty()) return;
  std::fprintf(stderr, "%s; the program ends with exit code 1\n", report.c_str());
  std::fflush(nullptr);
  _Exit(1);
}

// Registered before anything of the program, so that it runs after all of it.
__attribute__((constructor)) void watch_exit() { on_exit(end_of_process, nullptr); }

}  // namespace

aclError DeviceFaults::keep(const char* what, aclError code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (untold_.empty()) untold_ = shown_text() + "\nopkit: a " + what + " failed";
  return code;
}

aclError DeviceFaults::tell(aclError code) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (told_.empty()) told_ = untold_;
  untold_.clear();
  return code;
}

void DeviceFaults::accept() {
  const std::lock_guard<std::mutex> lock(mutex_);
  told_.clear();
}

void DeviceFaults::read_results() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (untold_.empty()) untold_.swap(told_);
}

std::string DeviceFaults::report() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return untold_;
}

void DeviceFaults::forget() {
  const std::lock_guard<std::mutex> lock(mutex_);
  untold_.clear();
  told_.clear();
}

DeviceFaults& faults() {
  static DeviceFaults& own = *new DeviceFaults;
  return own;
}

}  // namespace opkit::acl
