#include <fmt/format.h>

#include "opkit/build/project/vendor_files.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/install.h"
#include "registry/load_priority.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

std::string told(const registry::UninstallReport& report, const std::filesystem::path& opp,
                 const Palette& palette) {
  std::string text;
  for (const auto& removed : report.removed) {
    text += fmt::format("{} {} {} of {} from {}\n", palette.paint(Style::kGreen, "removed"),
                        removed.op, removed.version, removed.vendor, shown(opp));
  }
  const std::string order = fmt::format("{}", fmt::join(report.load_priority, ", "));
  return text + fmt::format("search order of {}: {}\n", shown(opp), order.empty() ? "none" : order);
}

Outcome run_uninstall(const Arguments& arguments, Console& console) {
  const registry::LayoutMaker layout = project::layout_maker();
  const registry::UninstallRequest request{.opp = target_opp(arguments),
                                           .op = arguments.get("op"),
                                           .version = arguments.get("--version"),
                                           .vendor = arguments.get("--vendor"),
                                           .all_versions = arguments.has("--all-versions"),
                                           .layout = &layout};
  for (const Error& wrong : registry::read_load_priority(request.opp).warnings) console.note(wrong);
  OPKIT_TRY(const auto report, registry::uninstall(request));
  console.show(registry::to_json(report), told(report, request.opp, console.out()));
  return kOk;
}

}  // namespace

Command uninstall_command() {
  return {
      .name = "uninstall",
      .summary = "remove an op from an OPP folder",
      .details =
          "Asks back with an error when several vendors or versions match: name the one to remove.",
      .positionals = {{.name = "op",
                       .help = "the op's type, such as AddRelu",
                       .complete = Complete::kOp}},
      .flags = {opp_flag(),
                {.name = "--vendor", .value = "NAME", .help = "only this vendor's"},
                {.name = "--version", .value = "X.Y.Z", .help = "only this version, no range"},
                {.name = "--all-versions", .value = "", .help = "every version of the op"}},
      .examples = {{"opkit uninstall MyFused", "the only version there is"},
                   {"opkit uninstall MyFused --vendor acme --version 1.0.0", "one of several"}},
      .run = run_uninstall,
  };
}

}  // namespace opkit::cli
