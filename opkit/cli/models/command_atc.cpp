// opkit atc, and the program atc: a model to an offline model.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "opkit/atc/compile/aipp.h"
#include "opkit/atc/compile/bisect.h"
#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/gears.h"
#include "opkit/atc/compile/model_interface.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/base/file.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/sdk.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/atc_optimize.h"
#include "opkit/cli/models/atc_options.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/models/model_pictures.h"
#include "opkit/cli/models/om_graph_json.h"
#include "opkit/cli/models/om_text.h"
#include "opkit/cli/models/single_ops.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/atc_words.h"
#include "opkit/cli/options/build_progress.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/fusion/generate/generate.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;

fs::path om_path(const std::string& output) {
  return output.ends_with(".om") ? output : output + ".om";
}

Status require(const Arguments& arguments, const std::string& flag, const std::string& example) {
  if (arguments.has(flag)) return {};
  return Error("E10001", fmt::format("parameter [{}] is missing", flag), example);
}

// What a compilation of one gear leaves for people and programs.
struct Report {
  Json json, fusions;
  std::string text;
  std::map<fs::path, std::string> pictures;
};

Status write_reports(const std::vector<Report>& reports, const Arguments& arguments) {
  Json fusions = Json::array();
  for (const Report& report : reports) {
    fusions.push_back(report.fusions);
    for (const auto& [file, text] : report.pictures) OPKIT_CHECK(write_file(file, text));
  }
  if (!arguments.has("--fusion_result")) return {};
  return write_file(arguments.get("--fusion_result"), fusions.dump(2) + "\n");
}

void log_rewrites(const compile::Compiled& compiled, Console& console) {
  for (const auto& [name, places] : compiled.rewrites)
    console.say(fmt::format("[INFO] ATC: {} changed {} places\n", name, places));
}

Status check_required(const Arguments& arguments) {
  OPKIT_CHECK(require(arguments, "--model", "--model=resnet50.onnx"));
  OPKIT_CHECK(require(arguments, "--framework", "--framework=5"));
  OPKIT_CHECK(require(arguments, "--output", "--output=resnet50"));
  return require(arguments, "--soc_version", "--soc_version=Ascend910B1");
}

// Checks what would otherwise be found out after the model has been written.
Status check_files(const Arguments& arguments) {
  const std::string output = arguments.get("--output");
  if (output.ends_with('/'))
    return Error(
        "E10001",
        fmt::format("value [{}] for parameter [--output] is invalid. Reason: it is a folder",
                    output),
        "--output=" + shell_word(output + "model"));
  if (const auto file = arguments.find("--fusion_result")) OPKIT_CHECK(check_writable(*file));
  const auto picture = arguments.find("--picture");
  return picture ? check_writable(*picture + "_before.dot") : Status();
}

Status check_model_file(const std::string& file) {
  std::error_code code;
  if (fs::is_regular_file(file, code)) return {};
  const bool folder = fs::is_directory(file, code);
  return Error("E10001",
               fmt::format("value [{}] for parameter [--model] is invalid. Reason: {}", file,
                           folder ? "it is a folder" : "there is no such file"),
               "--model=resnet50.onnx, with the path of an ONNX model");
}

Result<Report> report_of(const compile::Compiled& compiled, const std::string& checked,
                         const Arguments& arguments, const compile::Gears& gears, size_t gear) {
  const bool explain = arguments.has("--explain"), many = gears.kind != model::GearKind::kNone;
  Report report;
  report.json = compile::summary_json(compiled);
  if (many) report.json["gear"] = gears.values[gear];
  if (!checked.empty()) report.json["checked"] = checked;
  if (explain) report.json["explain"] = compile::explain_json(compiled);
  report.text = (many ? fmt::format("gear {}\n", compile::gear_text(gears.values[gear])) : "") +
                (explain ? compile::explain_text(compiled) : "") + compile::summary_text(compiled) +
                checked;
  const Json fusions = compile::fusion_result(compiled);
  report.fusions = fusions[size_t{0}];
  report.fusions["session_and_graph_id"] = fmt::format("0_{}", gear);
  if (arguments.has("--picture"))
    OPKIT_CHECK(draw_pictures(compiled,
                              arguments.get("--picture") + (many ? fmt::format("_{}", gear) : ""),
                              report.pictures));
  return report;
}

void show(const model::OfflineModel& model, const fs::path& output,
          const std::vector<Report>& reports, const std::string& runs, Console& console) {
  std::string text;
  for (const Report& report : reports) text += report.text;
  Json json = reports[0].json;
  if (model.gear_kind != model::GearKind::kNone) {
    json = {{"model", model.name},
            {"soc", model.soc},
            {"gear_kind", model::name_of(model.gear_kind)},
            {"weights", model.weight_bytes},
            {"weights_in_file", model.weights.size()},
            {"gears", Json::array()}};
    for (const Report& report : reports) json["gears"].push_back(report.json);
    text += fmt::format("{} gears ({}): {}; they share {} bytes of weights, {} in the file\n",
                        model.gears.size(), model::name_of(model.gear_kind),
                        model::gears_text(model), model.weight_bytes, model.weights.size());
  }
  json["output"] = output.string();
  json["runs"] = runs;
  console.show(json, text + fmt::format("plugins ran {}\n", runs) + kAtcSuccess);
}

Result<std::vector<compile::InsertedAipp>> insert_aipp(const Arguments& arguments,
                                                       model::GearKind gears, graph::Graph& graph) {
  if (!arguments.has("--insert_op_conf")) return std::vector<compile::InsertedAipp>();
  const std::string file = arguments.get("--insert_op_conf");
  OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 22));
  OPKIT_TRY(const auto all, compile::parse_aipp(text, file));
  return compile::insert_aipp(graph, all, gears, arguments.get("--input_fp16_nodes"));
}

// Returns what was found on data; without the fusions that --bisect dropped.
Result<std::string> check(compile::Compiled& compiled, const Arguments& arguments,
                          const InstalledOps& ops, const compile::Options& options,
                          Console& console) {
  const bool compares = !arguments.has("--no-check");
  ProgressLine progress(console, "atc");
  if (compares) progress.step("running the model by its cover, by single nodes and as in the file");
  if (arguments.has("--bisect")) {
    OPKIT_TRY(compile::Bisection found, compile::bisect(std::move(compiled), ops, options));
    compiled = std::move(found.compiled);
    for (const Error& warning : found.proof.warnings) console.note(warning);
    return compile::bisection_text(found);
  }
  if (arguments.has("--check")) {
    OPKIT_TRY(const compile::Proof proof, compile::prove(compiled, ops));
    for (const Error& warning : proof.warnings) console.note(warning);
    return compile::proof_text(proof);
  }
  if (!compares) return std::string();
  compile::FileReference file(compiled);
  OPKIT_TRY(const compile::Proof proof, compile::compare_covers(compiled, ops, file));
  for (const Error& warning : proof.warnings) console.note(warning);
  return compile::covers_text(proof);
}

// Makes chains that are worth it into ops where --generate_chains is given: they become ops, and
// the model is compiled with them.
Result<std::vector<generate::ChainReport>> use_chains(compile::Compiled& compiled,
                                                      const Arguments& arguments, InstalledOps& ops,
                                                      const compile::Options& options,
                                                      Console& console) {
  if (!arguments.has("--generate_chains")) return generate::worthy_chains(compiled);
  BuildProgress progress(console, "generate chains");
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  auto chains = generate::generate_chains(compiled, ops, options, progress, {sdk});
  progress.finish();
  return chains;
}

// Compiles for the dims of one gear.
Result<Report> compile_gear(const Arguments& arguments, InstalledOps& ops, compile::Options options,
                            const compile::Gears& gears, size_t gear, Console& console,
                            model::OfflineModel& made) {
  OPKIT_TRY(graph::Graph graph, imported_model(arguments.get("--model"), gears.shapes[gear],
                                               arguments, ops, options.candidates.soc));
  OPKIT_CHECK(compile::change_interface(
      graph, {arguments.get("--out_nodes"), arguments.get("--output_type"),
              arguments.get("--input_fp16_nodes")}));
  OPKIT_TRY(auto images, insert_aipp(arguments, gears.kind, graph));
  OPKIT_CHECK(read_calibration(arguments, graph, options));
  OPKIT_TRY(const auto optimized, optimize_model(graph, arguments, ops, options, console));
  OPKIT_TRY(compile::Compiled compiled, compile::compile(std::move(graph), ops, options));
  for (const Error& warning : compiled.warnings) console.note(warning);
  OPKIT_TRY(const auto chains, use_chains(compiled, arguments, ops, options, console));
  OPKIT_TRY(const std::string checked, check(compiled, arguments, ops, options, console));
  compiled.schedule.model.made_by = "opkit " + std::string(project::kit_version());
  if (arguments.get("--log") == "info" || arguments.get("--log") == "debug")
    log_rewrites(compiled, console);
  OPKIT_TRY(Report report, report_of(compiled, checked, arguments, gears, gear));
  report.json["chains"] = generate::chains_json(chains);
  report.text += generate::chains_text(chains);
  if (optimized) report.json["optimize"] = optimize::optimized_json(*optimized);
  if (optimized) report.text += optimize::optimized_text(*optimized);
  made = std::move(compiled.schedule.model);
  compile::keep(std::move(images), made);
  compile::state_input_formats(
      made, arguments.has("--input_format") ? arguments.get("--input_format") : "NCHW");
  return report;
}

// A model of one shape stays as it was made; plans of gears are joined.
Result<model::OfflineModel> compile_gears(const Arguments& arguments, InstalledOps& ops,
                                          const compile::Options& options,
                                          const compile::Gears& gears, Console& console,
                                          std::vector<Report>& reports) {
  model::GearJoin join(gears.kind);
  for (size_t g = 0; g < gears.shapes.size(); ++g) {
    model::OfflineModel made;
    auto report = compile_gear(arguments, ops, options, gears, g, console, made);
    const bool one = gears.kind == model::GearKind::kNone;
    if (!report.ok() && one) return std::move(report).error();
    if (!report.ok())
      return std::move(report).error().with("gear " + compile::gear_text(gears.values[g]));
    reports.push_back(std::move(*report));
    if (one) return made;
    join.add(gears.values[g], std::move(made));
  }
  return join.take();
}

Outcome compile_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_required(arguments));
  OPKIT_CHECK(check_files(arguments));
  OPKIT_CHECK(check_model_file(arguments.get("--model")));
  OPKIT_TRY(const compile::Options options, atc_options(arguments, console));
  OPKIT_TRY(const compile::Gears gears, atc_gears(arguments, options.candidates.soc));
  const fs::path output = om_path(arguments.get("--output"));
  OPKIT_CHECK(check_writable(output));
  const registry::Registry registry = open_registry(arguments, console);
  OPKIT_CHECK(registry.check_lock(options.candidates.soc));
  InstalledOps ops = open_ops(registry, options.candidates.soc, arguments, console);
  std::vector<Report> reports;
  OPKIT_TRY(const model::OfflineModel model,
            compile_gears(arguments, ops, options, gears, console, reports));
  OPKIT_CHECK(model::validate(model));
  OPKIT_CHECK(model::save(output, model));
  OPKIT_CHECK(write_reports(reports, arguments));
  show(model, output, reports, runs_where(arguments), console);
  if (arguments.get("--display_model_info") == "1") console.print(om_info_text(model));
  return kOk;
}

Outcome show_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(require(arguments, "--om", "--mode=6 --om=resnet50.om"));
  OPKIT_TRY(const model::OfflineModel model, model::load(arguments.get("--om")));
  console.show(om_json(model), om_info_text(model));
  return kOk;
}

// Reads the graph of the model, which is the original one with --framework.
Result<Json> graph_of_model(const Arguments& arguments) {
  const std::string file = arguments.get("--om");
  if (arguments.has("--framework")) {
    OPKIT_TRY(const graph::Graph graph, onnx_frontend::import_file(file, {.keep_unknown = true}));
    return model_graph_json(graph);
  }
  OPKIT_TRY(const model::OfflineModel model, model::load(file));
  return om_graph_json(model);
}

Outcome write_graph(const Arguments& arguments, Console& console) {
  const std::string example = "--mode=1 --om=resnet50.om --json=resnet50.json";
  OPKIT_CHECK(require(arguments, "--om", example));
  if (arguments.get("--json") == "true")
    return Error("E10001", "parameter [--json] names no file", example);
  OPKIT_CHECK(require(arguments, "--json", example));
  OPKIT_TRY(const Json json, graph_of_model(arguments));
  OPKIT_CHECK(write_file(arguments.get("--json"), json.dump(2) + "\n"));
  console.print(kAtcSuccess);
  return kOk;
}

Outcome act(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_atc_flags(arguments));
  if (arguments.get("--mode") == "1") return write_graph(arguments, console);
  if (arguments.has("--singleop")) return compile_single_ops(arguments, console);
  return compile_model(arguments, console);
}

Outcome run_atc(const Arguments& arguments, Console& console) {
  const bool shows = arguments.get("--mode") == "6" && check_atc_flags(arguments).ok();
  if (shows) return show_model(arguments, console);
  Outcome outcome = act(arguments, console);
  if (!outcome.ok()) console.print(kAtcFailure);
  return outcome;
}

}  // namespace

Command atc_command() {
  return {
      .name = "atc",
      .summary = "compile an ONNX model for a chip, with the installed ops",
      .details =
          "Covers the model with the references of the installed ops at the least modelled cost.\n"
          "What no op takes runs on the host and is listed. The program `atc` is the same "
          "command.\n"
          "Other flags of the vendor's atc change nothing, or are refused by name (E10007).",
      .positionals = {},
      .flags = atc_flags(),
      .examples = {{"atc --model=resnet50.onnx --framework=5 --output=resnet50 "
                    "--soc_version=Ascend910B1",
                    "writes resnet50.om"},
                   {"opkit atc --model=m.onnx --framework=5 --output=m --soc_version=Ascend310B1 "
                    "--no-fallback --explain",
                    "who takes which node; no host operators"},
                   {"atc --singleop=ops.json --output=op_models --soc_version=Ascend910B1",
                    "a model for each operator of a JSON file"},
                   {"atc --mode=1 --om=resnet50.om --json=resnet50.json", "its graph as JSON"},
                   {"atc --mode=6 --om=resnet50.om", "what an offline model holds"}},
      .run = run_atc,
  };
}

}  // namespace opkit::cli
