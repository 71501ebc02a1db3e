// Lock: the one lock of the runtime. As long as one lives, its thread holds the lock; a thread may
// hold it several times.
#ifndef OPKIT_ACL_BASE_LOCK_H_
#define OPKIT_ACL_BASE_LOCK_H_

#include <mutex>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

// REQUIRES: what programs hold handles of, and what the runtime keeps of their calls, is used with
// the lock held; what says "Threads may call everything at any time" needs none. Tasks run without
// the lock, and no call waits for one with it.
class OPKIT_ACL_SHARED Lock {
 public:
  Lock() : guard_(mutex()) {}

  // Returns what the lock is made of, for who waits for a condition with it.
  static std::recursive_mutex& mutex();

 private:
  std::lock_guard<std::recursive_mutex> guard_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_LOCK_H_
