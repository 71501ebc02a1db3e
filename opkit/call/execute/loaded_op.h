// LoadedOp: a package's plugin and contract, ready to be run.
#ifndef OPKIT_CALL_EXECUTE_LOADED_OP_H_
#define OPKIT_CALL_EXECUTE_LOADED_OP_H_

#include <filesystem>
#include <memory>

#include "opkit/contract/op_contract.h"
#include "registry/plugin.h"

namespace opkit {

// The plugin stays loaded while this lives.
struct LoadedOp {
  std::shared_ptr<void> unpacked;  // the folder of an archive; removed after the plugin is unloaded
  registry::Plugin plugin;
  OpContract contract;
  Errors differences;  // of an OpDef from the contract; empty: it agrees, or there is none
};

// Errors: a library that does not load, a contract that does not parse.
Result<LoadedOp> load_op(const registry::Package& package,
                         const registry::LoadOptions& options = {});
// The package in a folder, for tools that bring the folder along instead of asking the registry;
// without a probe. Errors, too: what check_package finds.
Result<LoadedOp> load_op(const std::filesystem::path& folder);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_LOADED_OP_H_
