// The attributes of a single operator, as a program sets them one by one.
#ifndef OPKIT_ACL_OP_ATTR_H_
#define OPKIT_ACL_OP_ATTR_H_

#include "acl/acl_op.h"
#include "opkit/contract/attr.h"

struct aclopAttr {
  opkit::AttrValues values;
};

#endif  // OPKIT_ACL_OP_ATTR_H_
