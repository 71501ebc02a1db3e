// InstalledOps: every op that serves a chip, with its contract at once and its plugin when it is
// asked for.
#ifndef OPKIT_EXECUTE_INSTALLED_OPS_H_
#define OPKIT_EXECUTE_INSTALLED_OPS_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/execute/executor.h"
#include "opkit/execute/loaded_op.h"
#include "registry/registry.h"

namespace opkit {

// One op; stays where it is.
class InstalledOp {
 public:
  InstalledOp(registry::Package package, OpContract contract, bool probe = true);
  ~InstalledOp();
  InstalledOp(const InstalledOp&) = delete;

  const registry::Package& package() const { return package_; }
  const OpContract& contract() const { return contract_; }
  // "AddRelu 1.0.0 of acme"
  std::string name() const { return package_.to_string(); }
  // Loads the plugin when it is first asked for. Error: those of load_op, each time.
  Result<Executor*> executor();
  Result<const opk_op_v1*> table();

 private:
  struct Loaded;
  Status load();

  registry::Package package_;
  OpContract contract_;
  bool probe_;
  std::unique_ptr<Loaded> loaded_;
};

class InstalledOps {
 public:
  // What the registry resolves for every op type on the chip. Ops that cannot serve are notes.
  static InstalledOps open(const registry::Registry& registry, const std::string& soc);
  // Of these ops only, those of them that are there. probe: plugins run in a child process before
  // this one loads them.
  static InstalledOps open(const registry::Registry& registry, const std::string& soc,
                           const std::vector<std::string>& op_types, bool probe);

  // One more, which `registry` resolves. Errors: the resolution's, the contract's. REQUIRES: no op
  // of this type is here.
  Result<InstalledOp*> add(const registry::Registry& registry, const std::string& soc,
                           const std::string& op_type, bool probe = true);
  Result<InstalledOp*> add(registry::Package package, bool probe = true);

  // In the order in which they came: those of open() by op type.
  const std::vector<std::unique_ptr<InstalledOp>>& all() const { return ops_; }
  InstalledOp* find(const std::string& op_type) const;
  const Errors& notes() const { return notes_; }

 private:
  std::vector<std::unique_ptr<InstalledOp>> ops_;
  Errors notes_;
};

}  // namespace opkit

#endif  // OPKIT_EXECUTE_INSTALLED_OPS_H_
