// Which op a command is about: an installed one by its type, a package or project folder, or a
// contract file.
#ifndef OPKIT_CLI_OPTIONS_OP_CHOICE_H_
#define OPKIT_CLI_OPTIONS_OP_CHOICE_H_

#include <filesystem>
#include <string>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/package_folder.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/isolation/open_op.h"

namespace opkit::cli {

// --opp, --vendor and --version, which say which installed package is meant.
std::vector<Flag> choice_flags();

// OPK-CLI-003 for --locked beside a path: no lock file is about what lies there.
Status check_locked(const std::string& word, const Arguments& arguments);

// Returns the contract of `word`: an op_contract.yaml, a folder or an archive that holds one, or an
// installed op.
Result<OpContract> choose_contract(const std::string& word, const Arguments& arguments,
                                   Console& console);

// --time-limit, and --in-process where a command may do without a worker.
enum class WorkerUse { kAlways, kUnlessToldOtherwise };
std::vector<Flag> worker_flags(WorkerUse worker);

// Returns what worker_flags() say; commands that have none get the defaults. What the plugin prints
// goes to stderr.
OpenOptions open_options(const Arguments& arguments, Console& console);

// Loads the package's library and compares an OpDef in it with the contract (OPK-DECL).
Result<OpenedOp> load_package(const registry::Package& package, const OpenOptions& options,
                              Console& console);

// Returns the op of `word`: a package folder, an archive, a built project, or an installed op that
// fits the SoC. Notes about packages that were passed by go to the console.
Result<OpenedOp> choose_op(const std::string& word, const std::string& soc,
                           const Arguments& arguments, const OpenOptions& options,
                           Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_OP_CHOICE_H_
