// opkit msopgen, and the program msopgen: a custom-op project in the vendor's layout.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/build/project/vendor_generate.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/import_msopgen.h"
#include "opkit/contract/op_contract.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace {

constexpr const char* kUnitExample = "-c ai_core-ascend910b1";

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Error wrong_unit(const std::string& unit, const std::string& why,
                 const std::string& action = kUnitExample) {
  return Error("OPK-MSOPGEN-001", fmt::format("compute unit '{}': {}", unit, why), action);
}

// "ascend910b1" is of the family "ascend910b": the longest short name that it begins with. What
// follows is a model's letters and digits; "ascend910_93" is no ascend910.
std::string family_of(const std::string& chip) {
  std::string best;
  for (const std::string& name : soc_names()) {
    const auto match = find_soc(name);
    if (!match.ok()) continue;
    const std::string family = lower_case(match->spec->short_name);
    if (chip.starts_with(family) && family.size() > best.size()) best = family;
  }
  return chip.find('_', best.size()) == std::string::npos ? best : std::string();
}

Result<std::string> family_of_unit(const std::string& unit) {
  const size_t dash = unit.find('-');
  const std::string core = unit.substr(0, dash);
  if (core == "aicpu")
    return wrong_unit(unit, "opkit makes no AICPU operators in the vendor's layout",
                      "opkit new NAME --template aicpu");
  if (core == "vector_core") return wrong_unit(unit, "opkit builds no vector_core operators");
  if (core != "ai_core" || dash == std::string::npos)
    return wrong_unit(unit, "it is ai_core, a dash and a chip");
  const std::string family = family_of(lower_case(unit.substr(dash + 1)));
  if (family.empty()) return wrong_unit(unit, "opkit does not know the chip (opkit soc list)");
  return family;
}

Result<std::vector<std::string>> units_of(const std::string& list) {
  std::vector<std::string> units;
  const std::string all = list + ",";
  for (size_t begin = 0, end; (end = all.find(',', begin)) != std::string::npos; begin = end + 1) {
    OPKIT_TRY(std::string family, family_of_unit(all.substr(begin, end - begin)));
    if (std::find(units.begin(), units.end(), family) == units.end())
      units.push_back(std::move(family));
  }
  return units;
}

Result<ImportedContract> chosen_op(const Arguments& arguments) {
  const std::string file = arguments.get("-i");
  OPKIT_TRY(const std::string text, read_file(file, size_t{10} << 20));
  OPKIT_TRY(const auto all, import_msopgen(text, file));
  const std::string wanted = arguments.get("--op");
  std::vector<std::string> names;
  for (const ImportedContract& each : all) {
    if (each.op == wanted || (wanted.empty() && all.size() == 1)) return each;
    names.push_back(each.op);
  }
  const auto near = nearest(wanted, names);
  return Error(
      "OPK-MSOPGEN-002",
      wanted.empty()
          ? fmt::format("{} has several operators: {}", file, fmt::join(names, ", "))
          : fmt::format("{} has no operator {}; it has {}", file, wanted, fmt::join(names, ", ")),
      fmt::format("-op {}", near ? *near : names.front()));
}

Status check_required(const Arguments& arguments) {
  for (const auto& [flag, example] :
       {std::pair("-i", "-i add_custom.json"), std::pair("-c", kUnitExample)})
    if (!arguments.has(flag))
      return Error("OPK-CLI-003", fmt::format("msopgen gen needs {}", flag), example);
  if (arguments.get("--lan") == "cpp") return {};
  return Error("OPK-MSOPGEN-001", "opkit has Ascend C only, no operators in Python", "-lan cpp");
}

void tell_notes(const OpContract& contract, const Arguments& arguments, Console& console) {
  const std::string framework = arguments.get("-f");
  std::vector<std::string> notes;
  if (framework != "aclnn" && framework != "pytorch")
    notes.push_back(fmt::format("no plugin for {} is made: opkit has no use for one", framework));
  for (const Port& port : contract.outputs)
    if (port.presence == Presence::kDynamic)
      notes.push_back(
          fmt::format("{} is dynamic: how many tensors it has is for you to say", port.name));
  for (const std::string& note : notes) {
    Error remark("OPK-CLI-014", note);
    remark.severity = Severity::kInfo;
    console.note(std::move(remark).of(contract.op));
  }
}

Outcome run_msopgen(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_required(arguments));
  project::VendorRequest request;
  request.folder = arguments.get("--out");
  request.add = arguments.get("-m") == "1";
  OPKIT_TRY(request.units, units_of(arguments.get("-c")));
  OPKIT_TRY(const ImportedContract op, chosen_op(arguments));
  OPKIT_TRY(const OpContract contract, OpContract::parse(op.yaml, op.op));
  OPKIT_TRY(const auto files, project::generate_vendor_project(contract, request));
  tell_notes(contract, arguments, console);
  std::string text = fmt::format("made {} in {}\n", op.op, shown(request.folder));
  for (const std::string& file : files) text += "  " + file + "\n";
  console.show({{"op", op.op}, {"folder", request.folder.string()}, {"files", files}},
               text + "next: complete what is marked TODO, then build.sh\n");
  return kOk;
}

}  // namespace

Command msopgen_command() {
  return {
      .name = "msopgen",
      .summary = "a custom-op project in the vendor's layout, from a prototype in JSON",
      .details =
          "The sources compile as they are made; what is to be completed is marked. build.sh "
          "builds\n"
          "them and an installer (.run) with the toolkit that set_env.sh names. The program\n"
          "`msopgen` is the same command, with the options' long and one-dash names.",
      .positionals = {{.name = "what", .help = "gen", .choices = {"gen"}}},
      .flags = {{.name = "-i",
                 .value = "FILE",
                 .help = "the prototype: an operator or a list of them",
                 .complete = Complete::kFile},
                {.name = "-f",
                 .value = "NAME",
                 .help = "the framework; no plugins for it are made",
                 .choices = {"tf", "tensorflow", "caffe", "ms", "mindspore", "onnx", "aclnn",
                             "pytorch"},
                 .preset = "tf"},
                {.name = "-c", .value = "UNIT,...", .help = "ai_core-<chip>: ai_core-ascend910b1"},
                {.name = "--lan",
                 .value = "NAME",
                 .help = "the language: cpp; also -lan",
                 .choices = {"cpp", "py"},
                 .preset = "py"},
                {.name = "--out",
                 .value = "PATH",
                 .help = "the project's folder; also -out",
                 .complete = Complete::kDirectory,
                 .preset = "."},
                {.name = "-m",
                 .value = "N",
                 .help = "0: a new project; 1: one more op in the one that is there",
                 .choices = {"0", "1"},
                 .preset = "0"},
                {.name = "--op", .value = "NAME", .help = "which operator of a list; also -op"}},
      .examples = {{"msopgen gen -i add_custom.json -c ai_core-ascend910b1 -lan cpp -out custom",
                    "a new project in ./custom"},
                   {"msopgen gen -i mul_custom.json -c ai_core-ascend910b1 -lan cpp -out custom "
                    "-m 1",
                    "one more op"}},
      .run = run_msopgen};
}

}  // namespace opkit::cli
