// DeviceFaults: what went wrong on the device, whether the program looks or not. A process that was
// never told of a failure, or read results of the device behind one as if there had been none, does
// not end with 0, and says what the first one was.
#ifndef OPKIT_ACL_BASE_FAULTS_H_
#define OPKIT_ACL_BASE_FAULTS_H_

#include <mutex>
#include <string>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

// Threads may call everything at any time.
class OPKIT_ACL_SHARED DeviceFaults {
 public:
  // A kernel, or another task, has just failed on this thread, whose text says why. Returns code.
  aclError keep_kernel(aclError code) { return keep("kernel", code); }
  aclError keep_task(aclError code) { return keep("task", code); }
  // A call has answered with the code of what failed. Returns code.
  aclError tell(aclError code);
  // The program asked what it was, or gave up what it failed on: it deals with what it was told.
  void accept();
  // The program reads what the device computed.
  void read_results();
  // Returns the first one that the program does not deal with, in lines; empty: there is none.
  std::string report() const;
  void forget();

 private:
  aclError keep(const char* what, aclError code);

  mutable std::mutex mutex_;
  std::string untold_, told_;  // the first one of each
};

// Returns the program's, made on first use and never destroyed.
OPKIT_ACL_SHARED DeviceFaults& faults();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_FAULTS_H_
