// A single operator that was planned for one set of shapes.
#ifndef OPKIT_ACL_OPS_OP_HANDLE_H_
#define OPKIT_ACL_OPS_OP_HANDLE_H_

#include <memory>

#include "acl/acl_op.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/nn/nn_executor.h"

struct aclopHandle {
  std::unique_ptr<aclOpExecutor> call;  // without memory
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclopHandle>& op_handles();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_OPS_OP_HANDLE_H_
