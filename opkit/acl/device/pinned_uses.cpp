#include "opkit/acl/device/pinned_uses.h"

namespace opkit::acl {

PinnedUses& pinned_uses() {
  static PinnedUses& own = *new PinnedUses;
  return own;
}

}  // namespace opkit::acl
