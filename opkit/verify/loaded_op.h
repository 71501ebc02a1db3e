// LoadedOp: the plugin and the contract of a package in a folder, for tools that bring the folder
// along instead of asking the registry.
#ifndef OPKIT_VERIFY_LOADED_OP_H_
#define OPKIT_VERIFY_LOADED_OP_H_

#include <filesystem>

#include "opkit/contract/op_contract.h"
#include "registry/plugin.h"

namespace opkit::verify {

// The plugin stays loaded while this lives.
struct LoadedOp {
  registry::Plugin plugin;
  OpContract contract;
};

// Errors: what check_package finds, a library that does not load, a contract that does not parse.
Result<LoadedOp> load_op(const std::filesystem::path& package);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_LOADED_OP_H_
