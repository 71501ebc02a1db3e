// A single operator that was planned for one set of shapes.
#ifndef OPKIT_ACL_OP_HANDLE_H_
#define OPKIT_ACL_OP_HANDLE_H_

#include <memory>

#include "acl/acl_op.h"
#include "opkit/acl/nn_executor.h"

struct aclopHandle {
  std::unique_ptr<aclOpExecutor> call;  // without memory
};

#endif  // OPKIT_ACL_OP_HANDLE_H_
