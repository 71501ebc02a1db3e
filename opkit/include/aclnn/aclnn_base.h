// What every header of an op's aclnn calls includes.
#ifndef OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_
#define OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

#endif  // OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_
