// opkit test, with and without single ops beside fused ones.
#ifndef OPKIT_CLI_COMMANDS_COMMAND_TEST_H_
#define OPKIT_CLI_COMMANDS_COMMAND_TEST_H_

#include "opkit/cli/commands/make_singles.h"
#include "opkit/cli/options/command.h"

namespace opkit::cli {

Command test_command_with(MakeSingles singles);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_COMMAND_TEST_H_
