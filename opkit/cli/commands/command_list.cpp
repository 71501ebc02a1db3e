#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/key_text.h"
#include "registry/report.h"

namespace opkit::cli {
namespace {

Style style_of(registry::Standing standing) {
  switch (standing) {
    case registry::Standing::kChosen: return Style::kGreen;
    case registry::Standing::kBroken: return Style::kRed;
    case registry::Standing::kRefused: return Style::kRed;
    case registry::Standing::kUnfit: return Style::kYellow;
    default: return Style::kDim;
  }
}

// The way to a root is looked at once, not for each of its packages.
class Places {
 public:
  std::string of(const registry::Listed& listed) {
    const auto& root = listed.root.directory;
    const auto [at, fresh] = roots_.try_emplace(root.string());
    if (fresh) at->second = shown(root);
    return (at->second / listed.candidate.directory.lexically_relative(root)).string();
  }

 private:
  std::map<std::string, std::filesystem::path> roots_;
};

std::string table_of(const std::vector<registry::Listed>& all, const Palette& palette) {
  Table table({"op", "version", "vendor", "state", "runs on", "signed by", "SoCs", "where"});
  Places places;
  for (const registry::Listed& listed : all) {
    const registry::PackageCandidate& c = listed.candidate;
    const std::string socs =
        c.package ? fmt::format("{}", fmt::join(c.package->manifest.socs, " ")) : "?";
    table.add({c.op, c.version, c.vendor.empty() ? "?" : c.vendor,
               palette.paint(style_of(c.standing), registry::name_of(c.standing)),
               c.package ? std::string(registry::kind_of(c.package->manifest)) : "?",
               short_key(c.package ? c.package->signer : ""), socs, places.of(listed)});
  }
  return table.to_string(palette);
}

std::string reasons_of(const std::vector<registry::Listed>& all) {
  std::string text;
  for (const registry::Listed& listed : all) {
    const registry::PackageCandidate& c = listed.candidate;
    const bool bad =
        c.standing == registry::Standing::kBroken || c.standing == registry::Standing::kUnfit;
    for (const Error& reason : c.reasons) {
      if (bad) text += fmt::format("{} {}: {}\n", c.op, c.version, reason.to_string());
    }
    if (c.trust) text += fmt::format("{} {}: {}\n", c.op, c.version, c.trust->to_string());
  }
  return text.empty() ? text : "\n" + text;
}

Json json_of(const registry::Registry& registry, const std::vector<registry::Listed>& all) {
  Json packages = Json::array();
  for (const registry::Listed& listed : all) packages.push_back(registry::to_json(listed));
  return {{"packages", std::move(packages)}, {"path", registry::to_json(registry.search_path())}};
}

Outcome run_list(const Arguments& arguments, Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  std::string soc;
  if (arguments.has("--soc")) {
    OPKIT_TRY(soc, checked_soc(arguments.get("--soc"), console));
  }
  const std::vector<registry::Listed> all = registry.list(soc);
  if (console.json()) {
    console.emit(json_of(registry, all));
    return kOk;
  }
  if (all.empty()) {
    console.print(fmt::format("no op is installed in {} ({})\n", shown(registry.search_path().opp),
                              registry.search_path().opp_reason));
    return kOk;
  }
  console.print(table_of(all, console.out()) + reasons_of(all));
  return kOk;
}

}  // namespace

Command list_command() {
  return {
      .name = "list",
      .summary = "installed ops: vendor, version, state",
      .details =
          "chosen: serves the op. shadowed: another package comes first. unfit: intact, but not\n"
          "for this host or SoC. broken: damaged; resolution stops at it. refused: against the "
          "OPP's\n"
          "trust (opkit trust); so it does at this.",
      .positionals = {},
      .flags = {opp_flag(), soc_flag("judge the packages for this chip")},
      .examples = {{"opkit list", "every package on the search path"},
                   {"opkit list --soc Ascend310P3 --json", "the same for one chip, for a script"}},
      .run = run_list,
  };
}

}  // namespace opkit::cli
