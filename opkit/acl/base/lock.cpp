#include "opkit/acl/base/lock.h"

namespace opkit::acl {

std::recursive_mutex& Lock::mutex() {
  static std::recursive_mutex& mutex = *new std::recursive_mutex;
  return mutex;
}

}  // namespace opkit::acl
