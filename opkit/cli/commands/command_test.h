// opkit test, with and without single ops beside fused ones: the tools for ops alone match no
// nodes.
#ifndef OPKIT_CLI_COMMANDS_COMMAND_TEST_H_
#define OPKIT_CLI_COMMANDS_COMMAND_TEST_H_

#include <memory>

#include "opkit/cli/options/command.h"
#include "opkit/verify/unfused/single_ops.h"
#include "registry/registry.h"

namespace opkit::cli {

// Makes the single ops that a fused op is compared with. The registry outlives them.
using MakeSingles = std::unique_ptr<verify::SingleOps> (*)(const registry::Registry& registry);

// Returns the command. singles = nullptr: fused ops are not compared with single ones.
Command test_command_with(MakeSingles singles);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_COMMAND_TEST_H_
