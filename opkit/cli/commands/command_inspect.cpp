#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/package_folder.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/isolation/confinement.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

// Returns a directory as it is, what an archive holds, else the installed package that serves the
// op.
Result<PackageFolder> directory_of(const Arguments& arguments, Console& console) {
  const std::string what = arguments.get("package");
  if (is_path(what)) return open_package(what, console);
  const registry::Registry registry = open_registry(arguments, console);
  const registry::Trace trace = registry.explain({.op = what,
                                                  .soc = {},
                                                  .version = arguments.get("--version"),
                                                  .vendor = arguments.get("--vendor")});
  if (trace.chosen) return PackageFolder{trace.chosen->root, nullptr};
  for (const auto& root : trace.searched) {
    for (const auto& candidate : root.candidates) {
      if (candidate.standing == registry::Standing::kBroken ||
          candidate.standing == registry::Standing::kRefused)
        return PackageFolder{candidate.directory, nullptr};
    }
  }
  for (const Error& note : trace.notes) console.note(note);
  return *trace.error;
}

Outcome run_inspect(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const PackageFolder package, directory_of(arguments, console));
  console.confined(isolation::confinement_here());
  const registry::Inspection inspection =
      registry::inspect(package.path, registry::HostFacts::of_this_process(),
                        !arguments.has("--no-probe"), {}, isolation::probe_in_worker);
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
                       .help = "an installed op's type, a package directory, an archive or a built "
                               "project",
                       .complete = Complete::kOp}},
      .flags = {opp_flag(),
                {.name = "--vendor", .value = "NAME", .help = "of an installed op: this vendor's"},
                {.name = "--version", .value = "X.Y.Z", .help = "of an installed op: this version"},
                {.name = "--no-probe", .value = "", .help = "do not load the library"}},
      .examples = {{"opkit inspect MyFused", "the package that serves MyFused"},
                   {"opkit inspect my_fused --json", "the one that a project has built"}},
      .run = run_inspect,
  };
}

}  // namespace opkit::cli
