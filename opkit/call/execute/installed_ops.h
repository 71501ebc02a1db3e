// InstalledOps: every op that serves a chip, with its contract at once and its plugin when it is
// asked for, in this process or in another one.
#ifndef OPKIT_CALL_EXECUTE_INSTALLED_OPS_H_
#define OPKIT_CALL_EXECUTE_INSTALLED_OPS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/call/execute/shared_plans.h"
#include "opkit/contract/op_contract.h"
#include "registry/registry.h"

namespace opkit {

// Opens a plugin; the executor keeps what it stands on. Errors, too: an OpDef that differs from the
// contract.
using OpenPlugin =
    std::function<Result<std::shared_ptr<Executor>>(const registry::Package& package)>;
// Loads plugins into this process, where they share the emulated chips. probe: each runs in a child
// process before.
OpenPlugin in_this_process(bool probe = true);

// One op; stays where it is.
class InstalledOp {
 public:
  InstalledOp(registry::Package package, OpContract contract, OpenPlugin open);
  InstalledOp(const InstalledOp&) = delete;

  const registry::Package& package() const { return package_; }
  const OpContract& contract() const { return contract_; }
  // "AddRelu 1.0.0 of acme"
  std::string name() const { return package_.to_string(); }
  // Opens the plugin when it is first asked for. Error: those of opening it, each time.
  Result<Executor*> executor();
  // Returns what the executor plans for the facts; a plan of the same facts that somebody holds is
  // that one. Errors: the executor's.
  Result<SharedPlan> plan(const std::string& soc, const CallFacts& facts);

 private:
  registry::Package package_;
  OpContract contract_;
  OpenPlugin open_;
  std::shared_ptr<Executor> executor_;  // null: nobody has asked
  SharedPlans plans_;
};

class InstalledOps {
 public:
  // Without ops. `open`: of those that will come.
  explicit InstalledOps(OpenPlugin open = in_this_process()) : open_(std::move(open)) {}
  // Returns what the registry resolves for every op type on the chip. Ops that cannot serve are
  // notes.
  static InstalledOps open(const registry::Registry& registry, const std::string& soc,
                           OpenPlugin open = in_this_process());
  // Opens those of these ops that are there.
  static InstalledOps open(const registry::Registry& registry, const std::string& soc,
                           const std::vector<std::string>& op_types, OpenPlugin open);

  // Adds one more, which `registry` resolves. Errors: the resolution's, the contract's.
  // REQUIRES: no op of this type is here.
  Result<InstalledOp*> add(const registry::Registry& registry, const std::string& soc,
                           const std::string& op_type);
  Result<InstalledOp*> add(registry::Package package);

  // Lists them in the order in which they came: those of open() by op type.
  const std::vector<std::unique_ptr<InstalledOp>>& all() const { return ops_; }
  InstalledOp* find(const std::string& op_type) const;
  // Why ops are not here that open() looked for: the resolution's errors and the contracts'.
  const Errors& notes() const { return notes_; }
  // Null: the op is here, or nobody looked for it.
  const Error* why_not(const std::string& op_type) const;
  const OpenPlugin& opens() const { return open_; }

 private:
  OpenPlugin open_;
  std::vector<std::unique_ptr<InstalledOp>> ops_;
  Errors notes_;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_INSTALLED_OPS_H_
