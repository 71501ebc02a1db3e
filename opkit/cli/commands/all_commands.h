// The commands, one function and one file each; the list is commands.def.
#ifndef OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_
#define OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_

#include "opkit/cli/options/command.h"

namespace opkit::cli {

// In the order of the help page.
const Commands& all_commands();

#define OPKIT_COMMAND(name) Command name##_command();
#include "opkit/cli/commands/commands.def"
#undef OPKIT_COMMAND

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_
