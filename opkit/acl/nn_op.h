// NnOp: an installed op as aclnn calls use it.
#ifndef OPKIT_ACL_NN_OP_H_
#define OPKIT_ACL_NN_OP_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "opkit/contract/op_contract.h"
#include "registry/plugin.h"
#include "registry/registry.h"

namespace opkit::acl {

struct NnOp {
  registry::Plugin plugin;
  OpContract contract;
};

// The ops that a program calls. Each call gets the version that serves then; who was given an
// earlier one goes on with it, and its library stays loaded as long. The search path and whom the
// OPP trusts are those of the moment when a library was last loaded.
class NnOps {
 public:
  // Errors: the registry's; a library that does not load; a contract that does not parse.
  Result<std::shared_ptr<const NnOp>> find(const std::string& op, const std::string& soc);

 private:
  struct Known {
    std::shared_ptr<const registry::Resolution> resolution;  // that `op` was last found to be
    std::shared_ptr<const NnOp> op;
  };
  std::optional<registry::Registry> registry_;
  std::map<std::string, Known> ops_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_OP_H_
