#include "opkit/cli/options/chip_ops.h"

#include <fmt/format.h>

#include <filesystem>

#include "opkit/cli/options/op_choice.h"

namespace opkit::cli {
namespace {

// Warns of folders that were named and are not there, and of an OPP without ops: everything would
// run on the host, and nobody would see why.
void warn_of_no_ops(const registry::Registry& registry, Console& console) {
  const registry::SearchPath& path = registry.search_path();
  std::string why;
  std::error_code code;
  if (!std::filesystem::is_directory(path.opp, code))
    why = fmt::format("{} ({}) is no folder", path.opp.string(), path.opp_reason);
  else if (registry.op_types().empty())
    why = fmt::format("{} ({}) holds no installed op", path.opp.string(), path.opp_reason);
  for (const registry::SearchRoot& root : path.roots) {
    if (root.origin != registry::Origin::kCustomPath || root.note.empty()) continue;
    why += fmt::format("{}{} ({}) {}", why.empty() ? "" : "; ", root.directory.string(),
                       root.reason, root.note);
  }
  if (why.empty()) return;
  Error warning("OPK-CLI-023", why + ": no kernel is taken from there",
                "name the folder that has your ops: ASCEND_OPP_PATH, or --opp");
  warning.severity = Severity::kWarning;
  console.note(warning);
}

}  // namespace

InstalledOps open_ops(const registry::Registry& registry, const std::string& soc,
                      const Arguments& arguments, Console& console) {
  warn_of_no_ops(registry, console);
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
