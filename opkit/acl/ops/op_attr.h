// The attributes of a single operator, as a program sets them one by one.
#ifndef OPKIT_ACL_OPS_OP_ATTR_H_
#define OPKIT_ACL_OPS_OP_ATTR_H_

#include "acl/acl_op.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/contract/attr.h"

struct aclopAttr {
  opkit::AttrValues values;
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclopAttr>& op_attrs();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_OPS_OP_ATTR_H_
