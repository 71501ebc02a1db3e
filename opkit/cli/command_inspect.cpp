#include <fmt/format.h>

#include "opkit/cli/all_commands.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/package_path.h"
#include "registry/report.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// A directory as it is, else the installed package that serves the op.
Result<fs::path> directory_of(const Arguments& arguments, Console& console) {
  const std::string what = arguments.get("package");
  std::error_code ignored;
  const bool path = what.find('/') != std::string::npos || fs::is_directory(what, ignored);
  if (path) return package_at_path(what, console);
  const registry::Registry registry = open_registry(arguments);
  const registry::Trace trace = registry.explain({.op = what,
                                                  .soc = {},
                                                  .version = arguments.get("--version"),
                                                  .vendor = arguments.get("--vendor")});
  if (trace.chosen) return trace.chosen->root;
  for (const auto& root : trace.searched) {
    for (const auto& candidate : root.candidates) {
      if (candidate.verdict == registry::Verdict::kBroken) return candidate.directory;
    }
  }
  for (const Error& note : trace.notes) console.note(note);
  return *trace.error;
}

Outcome run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const fs::path directory, directory_of(arguments, console));
  const registry::Inspection inspection = registry::inspect(
      directory, registry::HostFacts::of_this_process(), !arguments.has("--no-probe"));
  console.show(registry::to_json(inspection), inspection.to_string());
  return inspection.ok() ? kOk : kFailed;
}

}  // namespace

Command inspect_command() {
  return {
      .name = "inspect",
      .summary = "everything that is known of one package",
      .details =
          "Manifest, digests, the library's ELF facts and its tables (read in a child process),\n"
          "and every reason why it would be refused here.",
      .positionals = {{.name = "package",
                       .help = "an installed op's type, a package directory or a built project",
                       .complete = Complete::kOp}},
      .flags = {opp_flag(),
                {.name = "--vendor", .value = "NAME", .help = "of an installed op: this vendor's"},
                {.name = "--version", .value = "X.Y.Z", .help = "of an installed op: this version"},
                {.name = "--no-probe", .value = "", .help = "do not load the library"}},
      .examples = {{"opkit inspect MyFused", "the package that serves MyFused"},
                   {"opkit inspect my_fused --json", "the one that a project has built"}},
      .run = run,
  };
}

}  // namespace opkit::cli
