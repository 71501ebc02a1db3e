#include <fmt/format.h>

#include "opkit/abi/types.h"
#include "opkit/build/project/sdk.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/host.h"

namespace opkit::cli {
namespace {

Outcome run_version(const Arguments&, Console& console) {
  const registry::HostFacts host = registry::HostFacts::of_this_process();
  const Json json{{"opkit", project::kit_version()},
                  {"abi", {{"min", host.min_abi}, {"max", host.max_abi}}},
                  {"platform", host.platform},
                  {"sanitizer", host.sanitizer}};
  std::string text = fmt::format("opkit {} (plugin ABI {} to {}, {}", project::kit_version(),
                                 host.min_abi, host.max_abi, host.platform);
  if (host.sanitizer != "none") text += ", sanitizer " + host.sanitizer;
  console.show(json, text + ")\n");
  return kOk;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .summary = "the version of opkit and of its plugin ABI",
          .details = "",
          .positionals = {},
          .flags = {},
          .examples = {{"opkit version", "for people"}, {"opkit version --json", "for scripts"}},
          .run = run_version};
}

}  // namespace opkit::cli
