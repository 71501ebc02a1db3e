#include "opkit/acl/device/retired_memory.h"

namespace opkit::acl {

RetiredMemory& retired_memory() {
  static RetiredMemory& own = *new RetiredMemory;
  return own;
}

}  // namespace opkit::acl
