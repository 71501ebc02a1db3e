#include "opkit/acl/media/mpi.h"

namespace opkit::acl {

Media& media() {
  static Media& own = *new Media;
  return own;
}

}  // namespace opkit::acl
