#include <fmt/format.h>

#include <filesystem>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/import_msopgen.h"
#include "registry/manifest.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Json json_of(const std::vector<ImportedContract>& imported) {
  Json list = Json::array();
  for (const ImportedContract& each : imported) {
    Json entry{{"op", each.op}, {"yaml", each.yaml}};
    entry["notes"] = each.notes;
    list.push_back(std::move(entry));
  }
  return {{"contracts", std::move(list)}};
}

// <folder>/<op>/op_contract.yaml for each; nothing is written when one is there already.
Result<std::string> write_all(const std::vector<ImportedContract>& imported,
                              const fs::path& folder) {
  const auto target = [&](const ImportedContract& each) {
    return folder / registry::snake_name(each.op) / "op_contract.yaml";
  };
  for (const ImportedContract& each : imported) {
    if (!fs::exists(target(each))) continue;
    return Error("OPK-NEW-003", fmt::format("{} exists already", target(each).string()),
                 "choose another folder with --dir");
  }
  std::string text;
  for (const ImportedContract& each : imported) {
    std::error_code failure;
    fs::create_directories(target(each).parent_path(), failure);
    OPKIT_CHECK(write_file(target(each), each.yaml));
    text += fmt::format("wrote {}\n", shown(target(each)));
  }
  return text;
}

Outcome run_contract_import(const Arguments& arguments, Console& console) {
  const std::string file = arguments.get("prototype");
  OPKIT_TRY(const std::string text, read_file(file));
  OPKIT_TRY(const auto imported, import_msopgen(text, file));
  std::string told;
  if (const auto folder = arguments.find("--dir")) {
    OPKIT_TRY(told, write_all(imported, *folder));
  } else {
    for (const ImportedContract& each : imported) told += each.yaml;
  }
  console.show(json_of(imported), told);
  for (const ImportedContract& each : imported) {
    for (const std::string& note : each.notes) {
      Error remark("OPK-CLI-014", note);
      remark.severity = Severity::kInfo;
      console.note(std::move(remark).of(each.op));
    }
  }
  return kOk;
}

}  // namespace

Command contract_import_command() {
  return {
      .name = "contract import",
      .summary = "contracts from a prototype JSON file of msOpGen",
      .details =
          "A prototype says neither shapes nor what is computed; the notes name what to add.",
      .positionals = {{.name = "prototype", .help = "the JSON file", .complete = Complete::kFile}},
      .flags = {{.name = "--dir",
                 .value = "PATH",
                 .help = "write <PATH>/<op>/op_contract.yaml; without it the contracts are printed",
                 .complete = Complete::kDirectory}},
      .examples = {{"opkit contract import add_custom.json > op_contract.yaml", "one op"},
                   {"opkit contract import ops.json --dir ops",
                    "each op into a folder of its own"}},
      .run = run_contract_import};
}

}  // namespace opkit::cli
