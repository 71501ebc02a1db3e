#include "opkit/cli/options/op_choice.h"

#include <fmt/format.h>

#include "opkit/cli/options/contract_path.h"
#include "opkit/cli/options/opp_option.h"
#include "registry/check_memory.h"
#include "registry/package.h"
#include "registry/package_form.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Result<registry::Package> resolve(const std::string& op, const std::string& soc,
                                  const Arguments& arguments, Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  OPKIT_TRY(const registry::OpAndRange asked, op_and_range(op, arguments));
  OPKIT_TRY(const registry::Resolution resolution,
            registry.resolve({.op = asked.op,
                              .soc = soc,
                              .version = asked.range,
                              .vendor = arguments.get("--vendor")}));
  for (const Error& note : resolution.notes) console.note(note);
  return resolution.package;
}

Result<registry::Package> package_at(const PackageFolder& folder, const std::string& soc) {
  OPKIT_TRY(registry::Package package,
            registry::usable_package(folder.path, registry::HostFacts::of_this_process(), {},
                                     registry::CheckMemory(registry::default_cache_dir())));
  if (!soc.empty()) OPKIT_CHECK(registry::check_soc(package.manifest, soc));
  return package;
}

}  // namespace

std::vector<Flag> choice_flags() {
  return {opp_flag(),
          {.name = "--vendor", .value = "NAME", .help = "of an installed op: this vendor's"},
          {.name = "--version",
           .value = "X.Y.Z",
           .help = "of an installed op: this version, or a range (^1.2)"},
          locked_flag()};
}

Status check_locked(const std::string& word, const Arguments& arguments) {
  if (!arguments.has("--locked") || !is_path(word)) return {};
  return Error("OPK-CLI-003", "--locked is about installed ops", "name the op by its type");
}

Result<OpContract> choose_contract(const std::string& word, const Arguments& arguments,
                                   Console& console) {
  OPKIT_CHECK(check_locked(word, arguments));
  if (!is_path(word)) {
    OPKIT_TRY(const registry::Package package, resolve(word, "", arguments, console));
    return OpContract::load(package.contract_path());
  }
  std::error_code ignored;
  if (word.ends_with(".opkg") && fs::is_regular_file(word, ignored)) {
    OPKIT_TRY(const PackageFolder folder, open_package(word, console));
    return OpContract::load(folder.path / registry::kContractFile);
  }
  OPKIT_TRY(const std::string path, contract_path(word));
  return OpContract::load(path);
}

std::vector<Flag> worker_flags(WorkerUse worker) {
  std::vector<Flag> flags = {{.name = "--time-limit",
                              .value = "SECONDS",
                              .help = "how long the plugin may take for one answer [by its size]",
                              .seconds = true,
                              .most = 86400}};
  if (worker == WorkerUse::kUnlessToldOtherwise)
    flags.push_back({.name = "--in-process",
                     .value = "",
                     .help = "run the plugin's code in this process: a crash ends it"});
  return flags;
}

OpenOptions open_options(const Arguments& arguments, Console& console) {
  OpenOptions options;
  options.in_process = arguments.has("--in-process");
  if (arguments.has("--time-limit")) options.limits.time = arguments.milliseconds("--time-limit");
  options.printed = [&console](const std::string& text) { console.say(text); };
  return options;
}

Result<OpenedOp> load_package(const registry::Package& package, const OpenOptions& options,
                              Console& console) {
  OpenOptions with_cache = options;
  with_cache.load.probe_options.cache_dir = registry::default_cache_dir();
  OPKIT_TRY(OpenedOp op, open_op(package, with_cache));
  if (!options.in_process) console.confined(op.lacks);
  for (size_t i = 1; i < op.differences.size(); ++i) console.note(op.differences[i]);
  if (!op.differences.empty()) return op.differences.front();
  return op;
}

namespace {

// An installer may take a package away between the answer and its opening; then another one serves,
// or the reason is that none does.
Result<OpenedOp> open_installed(const std::string& word, const std::string& soc,
                                const Arguments& arguments, const OpenOptions& options,
                                Console& console) {
  OPKIT_TRY(const registry::Package package, resolve(word, soc, arguments, console));
  Result<OpenedOp> op = load_package(package, options, console);
  std::error_code ignored;
  if (op.ok() || fs::exists(package.root, ignored)) return op;
  OPKIT_TRY(const registry::Package other, resolve(word, soc, arguments, console));
  return load_package(other, options, console);
}

}  // namespace

Result<OpenedOp> choose_op(const std::string& word, const std::string& soc,
                           const Arguments& arguments, const OpenOptions& options,
                           Console& console) {
  if (!is_path(word)) return open_installed(word, soc, arguments, options, console);
  OPKIT_CHECK(check_locked(word, arguments));
  OPKIT_TRY(const PackageFolder folder, open_package(word, console));
  OPKIT_TRY(const registry::Package package, package_at(folder, soc));
  OPKIT_TRY(OpenedOp op, load_package(package, options, console));
  op.unpacked = folder.unpacked;
  return op;
}

}  // namespace opkit::cli
