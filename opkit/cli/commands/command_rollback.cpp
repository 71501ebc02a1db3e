#include <fmt/format.h>

#include "opkit/build/project/vendor_files.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/upgrade.h"

namespace opkit::cli {
namespace {

Outcome run_rollback(const Arguments& arguments, Console& console) {
  const registry::LayoutMaker layout = project::layout_maker();
  const registry::RollbackRequest request{.opp = target_opp(arguments),
                                          .op = arguments.get("op"),
                                          .vendor = arguments.get("--vendor"),
                                          .undo = arguments.has("--undo"),
                                          .layout = &layout};
  OPKIT_TRY(const registry::RollbackReport report,
            registry::rollback(request, registry::HostFacts::of_this_process()));
  console.show(
      {{"vendor", report.vendor},
       {"op", report.op},
       {"from", report.from},
       {"to", report.to},
       {"undo", request.undo}},
      fmt::format("{} {} of {} from {} to {}\n",
                  console.out().paint(Style::kGreen, request.undo ? "brought" : "rolled back"),
                  report.op, report.vendor, report.from.empty() ? "nothing" : report.from,
                  report.to));
  return kOk;
}

}  // namespace

Command rollback_command() {
  return {.name = "rollback",
          .summary = "go back to the version of an op that was installed before",
          .details =
              "Takes the highest version of the op out of the search, in one step, so that the one "
              "below it\n"
              "serves. Its bytes are kept in <opp>/.opkit/rolled-back; --undo brings them back. "
              "Refused when\n"
              "the version below is broken or does not fit this host.",
          .positionals = {{.name = "op",
                           .help = "the op's type, such as AddRelu",
                           .complete = Complete::kOp}},
          .flags = {opp_flag(),
                    {.name = "--vendor", .value = "NAME", .help = "this vendor's op"},
                    {.name = "--undo", .value = "", .help = "bring back what was rolled back"}},
          .examples = {{"opkit rollback MyFused", "from 1.1.0 to 1.0.0"},
                       {"opkit rollback MyFused --undo", "and to 1.1.0 again"}},
          .run = run_rollback};
}

}  // namespace opkit::cli
