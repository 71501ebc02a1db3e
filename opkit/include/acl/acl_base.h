// Codes, types and numbers of the vendor's runtime API, and descriptions of tensors.
#ifndef OPKIT_INCLUDE_ACL_ACL_BASE_H_
#define OPKIT_INCLUDE_ACL_ACL_BASE_H_

#include "acl_base_desc.h"
#include "acl_base_types.h"

#endif  // OPKIT_INCLUDE_ACL_ACL_BASE_H_
