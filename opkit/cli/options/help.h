// Help pages, made from the descriptions of the commands.
#ifndef OPKIT_CLI_OPTIONS_HELP_H_
#define OPKIT_CLI_OPTIONS_HELP_H_

#include <string>

#include "opkit/cli/options/command.h"
#include "opkit/cli/terminal/color.h"

namespace opkit::cli {

std::string help_of_program(const Commands& commands, const Palette& palette);
std::string help_of_group(const Commands& commands, const std::string& group,
                          const Palette& palette);
std::string help_of_command(const Command& command, const Palette& palette);

// Returns a command's usage line: "opkit new <OpName> [options]".
std::string usage_of(const Command& command);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_HELP_H_
