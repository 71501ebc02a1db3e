// The installed ops of a chip, for commands that are about models.
#ifndef OPKIT_CLI_OPTIONS_CHIP_OPS_H_
#define OPKIT_CLI_OPTIONS_CHIP_OPS_H_

#include <string>
#include <vector>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// Plugins run as worker_flags() say, each when the first call asks for it. The console must outlive
// the ops.
InstalledOps open_ops(const registry::Registry& registry, const std::string& soc,
                      const Arguments& arguments, Console& console);
// Opens these ops only.
InstalledOps open_ops(const registry::Registry& registry, const std::string& soc,
                      const std::vector<std::string>& op_types, const Arguments& arguments,
                      Console& console);
// Returns where they run, for reports: OpenedOp::runs.
std::string runs_where(const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_CHIP_OPS_H_
