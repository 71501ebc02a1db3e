// --opp and --soc, the same in every command that has them.
#ifndef OPKIT_CLI_OPTIONS_OPP_OPTION_H_
#define OPKIT_CLI_OPTIONS_OPP_OPTION_H_

#include <filesystem>
#include <optional>

#include "opkit/base/file.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "registry/registry.h"
#include "registry/version_range.h"

namespace opkit::cli {

Flag opp_flag();
Flag soc_flag(const std::string& help);
// --locked: open_registry() then takes the set of opkit.lock.
Flag locked_flag();

// "AddRelu@^1.2", or "AddRelu" and --version. OPK-CLI-003 for both.
Result<registry::OpAndRange> op_and_range(const std::string& word, const Arguments& arguments);

registry::Registry open_registry(const Arguments& arguments);
// Opens the registry and tells the console what is wrong with config.ini.
registry::Registry open_registry(const Arguments& arguments, Console& console);
// Returns where install and uninstall write: --opp, ASCEND_OPP_PATH, ./opp.
std::filesystem::path target_opp(const Arguments& arguments);

// Returns the full name of a SoC that exists, with a note on the console when a short name was
// widened.
Result<std::string> checked_soc(const std::string& name, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_OPP_OPTION_H_
