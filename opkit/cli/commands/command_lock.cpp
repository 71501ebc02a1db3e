#include <fmt/format.h>

#include <filesystem>

#include "opkit/base/counted.h"
#include "opkit/base/file.h"
#include "opkit/base/regular_file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/lock_file.h"

namespace opkit::cli {
namespace {

// Returns what serves each op. Ops of which no package fits are left out and told; a broken one
// ends it.
Result<registry::LockedSet> set_of(const registry::Registry& registry, const std::string& soc,
                                   Console& console) {
  registry::LockedSet set{registry::kLockFile, {}};
  for (const std::string& op : registry.op_types()) {
    const auto found = registry.resolve({.op = op, .soc = soc});
    if (!found && found.error().is(Cause::kNothingFits)) {
      Error note = found.error();
      note.severity = Severity::kWarning;
      console.note(note);
      continue;
    }
    if (!found) return found.error();
    OPKIT_TRY(std::string digest, registry::package_digest(found->package));
    const registry::Manifest& m = found->package.manifest;
    set.packages.push_back({op, m.vendor, m.version, std::move(digest)});
  }
  return set;
}

Error nothing_to_lock(const registry::SearchPath& path) {
  std::error_code code;
  const bool there = std::filesystem::is_directory(path.opp, code);
  return Error("OPK-CLI-023",
               fmt::format("{} ({}) {}: there is nothing to lock", path.opp.string(),
                           path.opp_reason, there ? "holds no installed op" : "is no folder"),
               there
                   ? "opkit install puts a package there; or name the OPP that has your ops"
                   : "name the OPP that has your ops, the folder that holds vendors/, with --opp");
}

Outcome run_lock(const Arguments& arguments, Console& console) {
  std::string soc;
  if (arguments.has("--soc")) {
    OPKIT_TRY(soc, checked_soc(arguments.get("--soc"), console));
  }
  const registry::Registry registry = open_registry(arguments, console);
  OPKIT_TRY(const registry::LockedSet set, set_of(registry, soc, console));
  if (set.packages.empty()) return nothing_to_lock(registry.search_path());
  const std::string file = arguments.get("--output");
  // A name that nobody gave is not to lead elsewhere, or to somebody who reads.
  const bool given = file != registry::kLockFile;
  OPKIT_CHECK(given ? write_file(file, registry::to_text(set))
                    : write_regular_file(file, registry::to_text(set)));
  Json list = Json::array();
  for (const registry::LockedPackage& p : set.packages) {
    list.push_back(
        {{"op", p.op}, {"vendor", p.vendor}, {"version", p.version}, {"sha256", p.digest}});
  }
  console.show({{"file", file}, {"packages", std::move(list)}},
               fmt::format("{} {} in {}\n", console.out().paint(Style::kGreen, "locked"),
                           counted(set.packages.size(), "op"), shown(file)));
  return kOk;
}

}  // namespace

Command lock_command() {
  return {
      .name = "lock",
      .summary = "write down which package serves each op, for --locked",
      .details =
          "Vendor, version and the digest of all files of each package. `opkit run`, `test` and "
          "`atc` with\n"
          "--locked take these packages and refuse any other one.",
      .positionals = {},
      .flags = {opp_flag(),
                soc_flag("what serves this chip"),
                {.name = "--output",
                 .value = "FILE",
                 .help = "the file to write; --locked reads opkit.lock",
                 .complete = Complete::kFile,
                 .preset = registry::kLockFile}},
      .examples = {{"opkit lock", "writes opkit.lock into this folder"},
                   {"opkit test AddRelu --locked", "the same package, or a refusal"}},
      .run = run_lock};
}

}  // namespace opkit::cli
