// NnOps: the installed ops that a program calls, and which version of each serves it.
#ifndef OPKIT_ACL_NN_NN_OPS_H_
#define OPKIT_ACL_NN_NN_OPS_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "opkit/acl/nn/canary.h"
#include "opkit/call/execute/opened_op.h"
#include "registry/registry.h"

namespace opkit::acl {

// Who runs the next call of an op.
struct ServedOp {
  std::shared_ptr<const OpenedOp> op;
  std::shared_ptr<Canary> canary;  // null: no newer version is on trial
};

// The ops that a program calls. Who was given a version goes on with it, and its library stays
// loaded as long. A version that the program has not met is on trial (canary.h) until a call of
// both has judged it; OPKIT_CANARY=0: it serves at once. The search path and whom the OPP trusts
// are those of the moment when a library was last loaded.
class NnOps {
 public:
  // Errors: the registry's; a first library that does not load, or whose contract does not parse.
  Result<ServedOp> find(const std::string& op, const std::string& soc);

 private:
  struct Known {
    std::shared_ptr<const registry::Resolution> resolution;  // that `op` was last found to be
    std::shared_ptr<const OpenedOp> op;
    std::shared_ptr<Canary> canary;
    std::set<std::string> served, refused;  // see key_of

    void conclude();
    ServedOp answer() const { return {op, canary}; }
  };
  Result<std::shared_ptr<const OpenedOp>> load(const registry::Query& query,
                                               const registry::Package& package);
  Result<ServedOp> meet(Known& known, const registry::Query& query,
                        std::shared_ptr<const registry::Resolution> found);

  std::optional<registry::Registry> registry_;
  std::map<std::string, Known> ops_;
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
NnOps& nn_ops();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_OPS_H_
