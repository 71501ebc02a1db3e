// A call of an installed op as descriptions and buffers say it.
#ifndef OPKIT_ACL_OPS_OP_CALL_H_
#define OPKIT_ACL_OPS_OP_CALL_H_

#include <memory>
#include <vector>

#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/ops/op_attr.h"

namespace opkit::acl {

// Handles, as the program gives them, in the order of the contract's ports.
struct OpTensors {
  std::vector<const aclTensorDesc*> inputs, outputs;
};
struct OpBuffers {
  std::vector<const aclDataBuffer*> inputs, outputs;
};

// Finds the op, judges the descriptions and plans the call. buffers: nullptr where they come later;
// then no input may be one whose values are planned with, unless its description holds them.
// REQUIRES: the lock is held.
aclError plan_op(const char* type, const OpTensors& tensors, const OpBuffers* buffers,
                 const aclopAttr* attr, std::unique_ptr<aclOpExecutor>& executor);
// Gives the call its memory; sizes are judged here, addresses where it runs.
aclError take_buffers(const OpBuffers& buffers, aclOpExecutor& executor);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_OPS_OP_CALL_H_
