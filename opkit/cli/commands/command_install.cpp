#include <fmt/format.h>

#include "opkit/build/project/vendor_files.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/package_path.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/isolation/confinement.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/install.h"
#include "registry/key_store.h"
#include "registry/load_priority.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

std::string told(const registry::InstallReport& report, const std::filesystem::path& opp,
                 const Palette& palette) {
  std::string text = fmt::format(
      "{} {} to {}\n", palette.paint(Style::kGreen, report.replaced ? "replaced" : "installed"),
      report.package.to_string(), shown(report.package.root));
  text +=
      fmt::format("search order of {}: {}\n", shown(opp), fmt::join(report.load_priority, ", "));
  if (report.new_owner) {
    text += fmt::format("{} belongs to key {} in {} from now on\n", report.package.manifest.vendor,
                        report.package.signer, shown(opp));
  }
  if (!report.other_versions.empty()) {
    text += fmt::format("beside it: {}\n", fmt::join(report.other_versions, ", "));
  }
  return text;
}

Result<registry::InstallReport> install_one(const std::filesystem::path& source,
                                            const Arguments& arguments, ProgressLine& progress) {
  const registry::LayoutMaker layout = project::layout_maker();
  registry::InstallRequest request{.source = source,
                                   .opp = target_opp(arguments),
                                   .force = arguments.has("--force"),
                                   .to_front = !arguments.has("--keep-order"),
                                   .probe = !arguments.has("--no-probe"),
                                   .key_folder = registry::KeyStore::of_user().folder(),
                                   .probe_options = {.prober = isolation::probe_in_worker},
                                   .layout = &layout};
  if (arguments.has("--time-limit"))
    request.probe_options.time_limit = arguments.milliseconds("--time-limit");
  progress.step(fmt::format("checking {}", shown(source)));
  return registry::install(request, registry::HostFacts::of_this_process());
}

Outcome run_install(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const auto sources, packages_at_path(arguments.get("package"), console));
  // The file is written anew, so this is the last time that one can see what was wrong with it.
  for (const Error& wrong : registry::read_load_priority(target_opp(arguments)).warnings)
    console.note(wrong);
  console.confined(isolation::confinement_here());
  ProgressLine progress(console, "install");
  Json list = Json::array();
  std::string text;
  for (const std::filesystem::path& source : sources) {
    OPKIT_TRY(const registry::InstallReport report, install_one(source, arguments, progress));
    list.push_back(registry::to_json(report));
    text += told(report, target_opp(arguments), console.out());
  }
  progress.finish();
  console.show(list.size() == 1 ? list.front() : Json{{"packages", list}}, text);
  return kOk;
}

}  // namespace

Command install_command() {
  return {
      .name = "install",
      .summary = "put a package into an OPP folder",
      .details =
          "The package is checked before anything changes: manifest, digests, contract, ABI, "
          "platform,\n"
          "and the library is loaded once in a child process. What is visible in the OPP changes "
          "in one\n"
          "rename; a refusal leaves it as it was. The vendor moves to the front of load_priority.",
      .positionals = {{.name = "package",
                       .help = "a built op project, a package directory or an archive (.opkg)",
                       .complete = Complete::kFile}},
      .flags =
          {opp_flag(),
           {.name = "--force", .value = "", .help = "replace the same version"},
           {.name = "--keep-order",
            .value = "",
            .help = "leave load_priority as it is; a vendor that it does not name is not searched"},
           {.name = "--no-probe",
            .value = "",
            .help = "do not load the library in a child process"},
           {.name = "--time-limit",
            .value = "SECONDS",
            .help = "how long loading the library in the child process may take [10]",
            .seconds = true,
            .most = 86400}},
      .examples = {{"opkit install my_fused",
                    "the package that `opkit build my_fused` made, into ./opp"},
                   {"opkit install my_fused --opp /opt/opp --force",
                    "replaces the same version there"}},
      .run = run_install,
  };
}

}  // namespace opkit::cli
