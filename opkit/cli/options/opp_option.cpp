#include "opkit/cli/options/opp_option.h"

#include <fmt/format.h>

#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

std::optional<fs::path> explicit_opp(const Arguments& arguments) {
  if (const auto path = arguments.find("--opp")) return fs::path(*path);
  return std::nullopt;
}

}  // namespace

Flag opp_flag() {
  return {.name = "--opp",
          .value = "PATH",
          .help =
              "the OPP folder; without it ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH are read, "
              "else ./opp is taken",
          .complete = Complete::kDirectory};
}

Flag soc_flag(const std::string& help) {
  return {.name = "--soc", .value = "NAME", .help = help, .complete = Complete::kSoc};
}

Flag locked_flag() {
  return {.name = "--locked",
          .value = "",
          .help = "only the packages that opkit.lock in this folder names (opkit lock)"};
}

Result<registry::OpAndRange> op_and_range(const std::string& word, const Arguments& arguments) {
  registry::OpAndRange asked = registry::split_op(word);
  if (asked.op == word) return registry::OpAndRange{word, arguments.get("--version")};
  if (asked.range.empty() || arguments.has("--version"))
    return Error("OPK-CLI-003", fmt::format("'{}' and --version do not say one version", word),
                 "write AddRelu@^1.2, or --version");
  return asked;
}

registry::Registry open_registry(const Arguments& arguments) {
  registry::Registry registry = registry::Registry::open(explicit_opp(arguments));
  if (arguments.has("--locked")) registry.lock(registry::load_lock(registry::kLockFile));
  return registry;
}

registry::Registry open_registry(const Arguments& arguments, Console& console) {
  registry::Registry registry = open_registry(arguments);
  for (const Error& warning : registry.search_path().warnings) console.note(warning);
  return registry;
}

fs::path target_opp(const Arguments& arguments) {
  return registry::make_search_path(explicit_opp(arguments),
                                    registry::Environment::of_this_process())
      .opp;
}

Result<std::string> checked_soc(const std::string& name, Console& console) {
  OPKIT_TRY(const SocMatch match, find_soc(name));
  if (!match.note.empty()) {
    Error note("OPK-CLI-010", match.note);
    note.severity = Severity::kInfo;
    console.note(note);
  }
  return match.spec->name;
}

}  // namespace opkit::cli
