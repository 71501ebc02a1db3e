#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

Outcome run_why(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const registry::OpAndRange asked, op_and_range(arguments.get("op"), arguments));
  registry::Query query{
      .op = asked.op, .soc = {}, .version = asked.range, .vendor = arguments.get("--vendor")};
  if (arguments.has("--soc")) {
    OPKIT_TRY(query.soc, checked_soc(arguments.get("--soc"), console));
  }
  const registry::Trace trace = open_registry(arguments).explain(query);
  console.show(registry::to_json(trace), trace.to_string());
  if (trace.chosen) return kOk;
  return trace.error && exit_code_of(*trace.error) == kUsage ? kUsage : kFailed;
}

}  // namespace

Command why_command() {
  return {
      .name = "why",
      .summary = "which package serves an op, and why not the others",
      .details =
          "Prints the whole search: every folder in order, every candidate with its verdict and\n"
          "reason. Exit code 1 when no package serves the op.",
      .positionals = {{.name = "op",
                       .help = "the op's type, such as AddRelu",
                       .complete = Complete::kOp}},
      .flags = {opp_flag(),
                soc_flag("for this chip"),
                {.name = "--vendor", .value = "NAME", .help = "ask for this vendor's package"},
                {.name = "--version",
                 .value = "X.Y.Z",
                 .help = "ask for this version, or a range (^1.2)"}},
      .examples = {{"opkit why AddRelu", "the search for AddRelu"},
                   {"opkit why AddRelu@^1.2", "of the versions from 1.2.0 to below 2.0.0"},
                   {"opkit why AddRelu --soc Ascend310P3", "and whether it runs on that chip"}},
      .run = run_why,
  };
}

}  // namespace opkit::cli
