#include "opkit/acl/ops/op_handle.h"

namespace opkit::acl {

HandleTable<aclopHandle>& op_handles() {
  static HandleTable<aclopHandle>& all = *new HandleTable<aclopHandle>("aclopHandle");
  return all;
}

}  // namespace opkit::acl
