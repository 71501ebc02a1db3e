// opkit model export: an offline model as a C++ project.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/counted.h"
#include "opkit/call/execute/generated_ops.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/model/export/codes.h"
#include "opkit/model/export/decisions.h"
#include "opkit/model/export/read_plan.h"
#include "opkit/model/export/write_project.h"
#include "opkit/model/file/om_file.h"

namespace opkit::cli {
namespace {

using model::OfflineModel;
using model_export::ExportedProgram;
using model_export::Project;

std::vector<std::string> op_types(const OfflineModel& model) {
  std::vector<std::string> all;
  for (const model::PluginId& plugin : model.plugins) all.push_back(plugin.op);
  return all;
}

// Looks for the contract in the installed ops, then among those that opkit wrote for chains.
class Contracts {
 public:
  Contracts(const registry::Registry& registry, const OfflineModel& model,
            const Arguments& arguments, Console& console)
      : soc_(model.soc), ops_(open_ops(registry, model.soc, op_types(model), arguments, console)) {}

  Result<const OpContract*> find(const model::PluginId& plugin) {
    InstalledOp* op = ops_.find(plugin.op);
    if (op == nullptr && plugin.vendor == kGeneratedVendor && !generated_opp().empty()) {
      auto kept = generated_.add(generated_registry(), soc_, plugin.op);
      if (kept.ok()) op = *kept;
    }
    const std::string name = fmt::format("{} {} of {}", plugin.op, plugin.version, plugin.vendor);
    if (op == nullptr)
      return Error(model_export::kNoContract, fmt::format("{} is not installed", name),
                   "install it: its contract says what the model computes");
    if (op->package().manifest.contract_sha256 == plugin.contract_sha256) return &op->contract();
    return Error(model_export::kNoContract,
                 fmt::format("the model was made with {}, and another contract is installed", name),
                 "install that one, or make the model again with atc");
  }

 private:
  const std::string soc_;
  InstalledOps ops_, generated_;
};

// What the model's chip, those of the models beside it, and the processor do with each call.
struct Decided {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

Result<Decided> decided(const OfflineModel& model, const ExportedProgram& program,
                        const Arguments& arguments) {
  Decided all{{"nodes", model.soc}, {}};
  const std::vector<model_export::Decision> decisions = model_export::decisions_of(program);
  for (const model_export::Decision& one : decisions) all.rows.push_back({one.nodes, one.op});
  for (const std::string& file : arguments.all("--beside")) {
    OPKIT_TRY(const OfflineModel other, model::load(file));
    const auto ops = model_export::ops_by_node(other);
    OPKIT_CHECK(model_export::check_beside(decisions, ops, file));
    all.headings.push_back(other.soc);
    for (std::vector<std::string>& row : all.rows) row.push_back(model_export::ops_of(ops, row[0]));
  }
  all.headings.emplace_back("cpu");
  for (size_t i = 0; i < decisions.size(); ++i)
    all.rows[i].push_back(fmt::format("{}", fmt::join(decisions[i].steps, ", ")));
  return all;
}

std::string text_of(const Decided& all, const Console& console) {
  if (all.rows.empty()) return {};
  Table table(all.headings);
  for (const std::vector<std::string>& row : all.rows) table.add(row);
  return table.to_string(console.out());
}

Json json_of(const Decided& all) {
  Json rows = Json::array();
  for (const std::vector<std::string>& row : all.rows) {
    Json one = Json::array();
    for (size_t c = 0; c < row.size(); ++c)
      one.push_back({{"column", all.headings[c]}, {"is", row[c]}});
    rows.push_back(std::move(one));
  }
  return rows;
}

Outcome run_model_export(const Arguments& arguments, Console& console) {
  const std::filesystem::path folder = arguments.get("--output");
  if (folder.empty())
    return Error("OPK-CLI-003", "no --output", "name a folder that is not there yet");
  OPKIT_CHECK(model_export::check_folder(folder));
  OPKIT_TRY(const OfflineModel model, model::load(arguments.get("model")));
  const registry::Registry registry = open_registry(arguments, console);
  Contracts contracts(registry, model, arguments, console);
  OPKIT_TRY(ExportedProgram program,
            model_export::read_plan(
                model, [&](const model::PluginId& plugin) { return contracts.find(plugin); }));
  OPKIT_CHECK(model_export::complete(program));
  OPKIT_TRY(const Project project, model_export::project_of(program));
  Decided decisions;
  if (arguments.has("--explain") || !arguments.all("--beside").empty()) {
    OPKIT_TRY(decisions, decided(model, program, arguments));
  }
  OPKIT_CHECK(model_export::write_project(project, folder));
  console.show(
      {{"output", folder.string()},
       {"target", arguments.get("--target")},
       {"calls", project.calls},
       {"operators", program.operations.size()},
       {"weight_bytes", project.weight_bytes},
       {"block_bytes", project.block_bytes},
       {"decisions", json_of(decisions)}},
      text_of(decisions, console) + fmt::format("{}: {} of {}, {} of weights, {} of memory\n",
                                                folder.string(), counted(project.calls, "call"),
                                                counted(program.operations.size(), "operator"),
                                                counted(project.weight_bytes, "byte"),
                                                counted(project.block_bytes, "byte")));
  return kOk;
}

}  // namespace

Command model_export_command() {
  std::vector<Flag> flags = {{.name = "--target",
                              .value = "TARGET",
                              .help = "what the project is for",
                              .choices = {"cpu"},
                              .preset = "cpu"},
                             {.name = "--output",
                              .value = "FOLDER",
                              .help = "the project; the folder must not be there, or be empty",
                              .complete = Complete::kDirectory},
                             {.name = "--explain",
                              .value = "",
                              .help = "show which op took each call's nodes, and what becomes of "
                                      "it here"},
                             {.name = "--beside",
                              .value = "MODEL",
                              .help = "a model of the same network for another chip: explain with "
                                      "its decisions, too",
                              .complete = Complete::kFile,
                              .repeated = true}};
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back(opp_flag());
  return {
      .name = "model export",
      .summary = "an offline model as a C++ project that needs nothing else",
      .details =
          "Writes the plan of an offline model as C++17: a function for each call, plain loops\n"
          "for the operators that its contract's reference has, the weights in a file, a main\n"
          "that reads and writes .npy. CMake builds it without opkit. docs/export.md tells more.",
      .positionals = {{.name = "model",
                       .help = "a file that atc wrote",
                       .complete = Complete::kFile}},
      .flags = std::move(flags),
      .examples = {{"opkit model export net.om --output net_cpu",
                    "then cmake -S net_cpu -B build && cmake --build build"},
                   {"opkit model export net_310.om --output net_cpu --beside net_910.om",
                    "decisions for both chips and the processor, side by side"}},
      .run = run_model_export};
}

}  // namespace opkit::cli
