// The commands, one function and one file each; the list is commands.def.
#ifndef OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_
#define OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_

#include "opkit/cli/options/command.h"

namespace opkit::cli {

// Returns the program's commands in the order of the help page. Each program defines it: opkit has
// all commands (all_commands.cpp), the tools for ops alone those of ops (op_commands.cpp).
const Commands& all_commands();

#define OPKIT_COMMAND(name) Command name##_command();
#define OPKIT_COMMAND_OF_MODELS(name) OPKIT_COMMAND(name)
#include "opkit/cli/commands/commands.def"
#undef OPKIT_COMMAND_OF_MODELS
#undef OPKIT_COMMAND

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_ALL_COMMANDS_H_
