#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/package_folder.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/isolation/confinement.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

// Most of the time goes into processes that start, load a library and end: one on each processor.
class AllPackages {
 public:
  AllPackages(const registry::Registry& registry, bool probe, Console& console)
      : registry_(registry), probe_(probe), all_(registry.list()), progress_(console, "verify") {
    inspections_.resize(all_.size());
  }

  std::vector<registry::Inspection> inspect() {
    {
      std::vector<std::jthread> lanes;
      try {
        const size_t processors = std::max(1u, std::thread::hardware_concurrency());
        while (lanes.size() + 1 < std::min(processors, all_.size()))
          lanes.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // the host has no more threads to give
      }
      work();
    }
    return std::move(inspections_);
  }

 private:
  void work() {
    for (size_t i = next_++; i < all_.size(); i = next_++) {
      inspections_[i] =
          registry::inspect_installed(registry_, all_[i], probe_, isolation::probe_in_worker);
      const std::lock_guard lock(mutex_);
      progress_.advance(++done_, all_.size(), shown(all_[i].candidate.directory));
    }
  }

  const registry::Registry& registry_;
  const bool probe_;
  const std::vector<registry::Listed> all_;
  std::vector<registry::Inspection> inspections_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_;  // guards what follows
  size_t done_ = 0;
  ProgressLine progress_;
};

std::string told(const std::vector<registry::Inspection>& inspections, const Palette& palette) {
  Table table({"package", "digests and facts", "where"});
  std::string reasons;
  for (const registry::Inspection& each : inspections) {
    const registry::PackageCheck& check = each.check;
    const std::string name = check.has_manifest ? check.package.to_string() : "?";
    table.add(
        {name,
         each.ok() ? palette.paint(Style::kGreen, "good") : palette.paint(Style::kRed, "refused"),
         shown(check.package.root)});
    for (const auto& finding : check.findings) reasons += finding.error.to_string() + "\n";
    if (each.probe_error) reasons += each.probe_error->to_string() + "\n";
    if (each.trust) reasons += each.trust->to_string() + "\n";
    if (each.quarantine) reasons += each.quarantine->to_string() + "\n";
  }
  return table.to_string(palette) + (reasons.empty() ? "" : "\n" + reasons);
}

Outcome run_verify(const Arguments& arguments, Console& console) {
  const bool probe = !arguments.has("--no-probe");
  console.confined(isolation::confinement_here());
  std::vector<registry::Inspection> inspections;
  if (const auto given = arguments.find("package")) {
    OPKIT_TRY(const PackageFolder package, open_package(*given, console));
    inspections.push_back(registry::inspect(package.path, registry::HostFacts::of_this_process(),
                                            probe, {}, isolation::probe_in_worker));
  } else {
    const registry::Registry registry = open_registry(arguments, console);
    inspections = AllPackages(registry, probe, console).inspect();
  }
  size_t bad = 0;
  Json list = Json::array();
  for (const registry::Inspection& each : inspections) {
    bad += each.ok() ? 0 : 1;
    list.push_back(registry::to_json(each));
  }
  console.show({{"packages", list}, {"good", inspections.size() - bad}, {"refused", bad}},
               inspections.empty() ? "no package to verify\n" : told(inspections, console.out()));
  return bad == 0 ? kOk : kFailed;
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .summary = "check the digests and facts of installed packages again",
      .details =
          "Recomputes every digest, reads the libraries' ELF facts and loads each library once in "
          "a\n"
          "child process, and judges signatures by the OPP's trust. Exit code 1 when a package "
          "would be refused.",
      .positionals = {{.name = "package",
                       .help = "only this package directory or archive; without it every installed "
                               "one",
                       .complete = Complete::kDirectory,
                       .required = false}},
      .flags = {opp_flag(),
                {.name = "--no-probe", .value = "", .help = "do not load the libraries"}},
      .examples = {{"opkit verify", "every package on the search path"},
                   {"opkit verify my_fused/build/package/acme/MyFused/1.0.0", "one directory"}},
      .run = run_verify,
  };
}

}  // namespace opkit::cli
