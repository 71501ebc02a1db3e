#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/build/project/vendor_files.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/package_path.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/isolation/confinement.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/key_store.h"
#include "registry/report.h"
#include "registry/upgrade.h"

namespace opkit::cli {
namespace {

Outcome run_upgrade(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const auto source, package_at_path(arguments.get("package"), console));
  console.confined(isolation::confinement_here());
  ProgressLine progress(console, "upgrade");
  progress.step(fmt::format("checking {}", shown(source)));
  const registry::LayoutMaker layout = project::layout_maker();
  const registry::InstallRequest request{.source = source,
                                         .opp = target_opp(arguments),
                                         .key_folder = registry::KeyStore::of_user().folder(),
                                         .probe_options = {.prober = isolation::probe_in_worker},
                                         .layout = &layout};
  OPKIT_TRY(const registry::InstallReport report,
            registry::upgrade(request, registry::HostFacts::of_this_process()));
  progress.finish();
  console.show(
      registry::to_json(report),
      fmt::format("{} to {}\nkept: {}\nback: opkit rollback {}\n",
                  console.out().paint(Style::kGreen, "upgraded"), report.package.to_string(),
                  fmt::join(report.other_versions, ", "), report.package.manifest.op));
  return kOk;
}

}  // namespace

Command upgrade_command() {
  return {.name = "upgrade",
          .summary = "put a higher version of an installed op into an OPP folder",
          .details =
              "Checks what install checks. The vendor must have the op installed in a lower "
              "version, which\n"
              "stays beside the new one; load_priority stays as it is. opkit rollback goes back.",
          .positionals = {{.name = "package",
                           .help = "a built op project, a package directory or an archive (.opkg)",
                           .complete = Complete::kFile}},
          .flags = {opp_flag()},
          .examples = {{"opkit upgrade MyFused-1.1.0-acme.opkg", "from 1.0.0, which is kept"}},
          .run = run_upgrade};
}

}  // namespace opkit::cli
