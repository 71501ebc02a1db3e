#include "opkit/cli/chip_ops.h"

#include "opkit/cli/op_choice.h"

namespace opkit::cli {

InstalledOps open_ops(const registry::Registry& registry, const std::string& soc,
                      const Arguments& arguments, Console& console) {
  return open_ops(registry, soc, registry.op_types(), arguments, console);
}

InstalledOps open_ops(const registry::Registry& registry, const std::string& soc,
                      const std::vector<std::string>& op_types, const Arguments& arguments,
                      Console& console) {
  const OpenOptions options = open_options(arguments, console);
  if (options.in_process) return InstalledOps::open(registry, soc, op_types, in_this_process());
  const auto confined = [&console](const std::string& lacks) { console.confined(lacks); };
  return InstalledOps::open(registry, soc, op_types, in_workers(options, confined));
}

std::string runs_where(const Arguments& arguments) {
  return arguments.has("--in-process") ? kInThisProcess : kInAWorker;
}

}  // namespace opkit::cli
