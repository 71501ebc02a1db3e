// Faults: what went wrong on the device, whether the program looks or not. A process that had one
// does not end with 0, and says what the first one was.
#ifndef OPKIT_ACL_FAULTS_H_
#define OPKIT_ACL_FAULTS_H_

#include <mutex>
#include <string>

#include "acl/acl.h"

namespace opkit::acl {

// Threads may call everything at any time.
class Faults {
 public:
  // A kernel, or another task, has just failed on this thread, whose text says why. Returns code.
  aclError keep_kernel(aclError code) { return keep("kernel", code); }
  aclError keep_task(aclError code) { return keep("task", code); }
  // Returns the report of the first fault, in lines; empty: there was none.
  std::string report() const;
  void forget();

 private:
  aclError keep(const char* what, aclError code);

  mutable std::mutex mutex_;
  std::string first_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_FAULTS_H_
