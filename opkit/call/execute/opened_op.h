// OpenedOp: a package's op and what runs it, in a worker or in this process. The command line,
// tests, models and programs hold an op in this form.
#ifndef OPKIT_CALL_EXECUTE_OPENED_OP_H_
#define OPKIT_CALL_EXECUTE_OPENED_OP_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/call/execute/runners.h"
#include "opkit/call/tiling/author_infer.h"
#include "registry/package_lease.h"
#include "registry/plugin.h"

namespace opkit {

inline constexpr const char* kInAWorker = "in a worker";
inline constexpr const char* kInThisProcess = "in this process";

struct OpenedOp {
  std::shared_ptr<void> unpacked;  // the folder of an archive; removed after the rest
  std::shared_ptr<const registry::PackageLease> lease;  // keeps the files of `package`
  registry::Package package;
  OpContract contract;
  // Tell how an OpDef differs from the contract; empty: it agrees, or there is none.
  Errors differences;
  std::optional<registry::Plugin> plugin;  // holds an op that runs in this process
  const opk_op_v1* tables = nullptr;       // valid as long as the executor and the plugin
  std::unique_ptr<Executor> executor;
  // What the author's InferShape and InferDataType say. Errors: call_infer's, OPK-WORKER.
  std::function<Result<std::vector<AuthorOutput>>(const OpCall& call)> infer;
  std::string runs;   // kInAWorker, kInThisProcess
  std::string lacks;  // what this host does not offer to confine workers, a sentence; or empty
};

// Loads the library of op.package into this process, with what runs it: the emulated chips
// `runners`, in a schedule of this seed where an invocation names none. Errors: Plugin::load's.
Status open_here(OpenedOp& op, const registry::LoadOptions& load, std::shared_ptr<Runners> runners,
                 uint64_t schedule_seed = 0);
// Reads the contract of op.package, and how an OpDef differs from it. Errors: OpContract::load's.
Status take_contract(OpenedOp& op);
// Returns the executor, which keeps the op. Errors: the first difference of an OpDef from the
// contract.
Result<std::shared_ptr<Executor>> executor_of(OpenedOp op);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_OPENED_OP_H_
