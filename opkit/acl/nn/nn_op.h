// NnOp: an installed op as aclnn calls use it.
#ifndef OPKIT_ACL_NN_NN_OP_H_
#define OPKIT_ACL_NN_NN_OP_H_

#include "opkit/contract/op_contract.h"
#include "registry/plugin.h"

namespace opkit::acl {

struct NnOp {
  registry::Plugin plugin;
  OpContract contract;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_OP_H_
