// NnOp: an installed op as aclnn calls use it.
#ifndef OPKIT_ACL_NN_OP_H_
#define OPKIT_ACL_NN_OP_H_

#include <map>
#include <memory>
#include <string>

#include "opkit/contract/op_contract.h"
#include "registry/plugin.h"

namespace opkit::acl {

struct NnOp {
  registry::Plugin plugin;
  OpContract contract;
};

// The ops that a program has called. Each is looked up once, under the search path of the process,
// and stays loaded: executors hold addresses in it.
class NnOps {
 public:
  // Errors: the registry's; a library that does not load; a contract that does not parse.
  Result<const NnOp*> find(const std::string& op, const std::string& soc);

 private:
  std::map<std::string, std::unique_ptr<NnOp>> ops_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_OP_H_
