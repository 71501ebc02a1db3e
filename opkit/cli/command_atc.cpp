// opkit atc, and the program atc: a model to an offline model.
#include <fmt/format.h>

#include <filesystem>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/arguments.h"
#include "opkit/cli/atc_options.h"
#include "opkit/cli/console.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/om_text.h"
#include "opkit/cli/opp_option.h"
#include "opkit/compile/aipp.h"
#include "opkit/compile/bisect.h"
#include "opkit/compile/compile.h"
#include "opkit/compile/input_shapes.h"
#include "opkit/compile/proof.h"
#include "opkit/compile/report.h"
#include "opkit/frontend/onnx/import.h"
#include "opkit/model/om_file.h"
#include "opkit/project/sdk.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuccess = "ATC run success, welcome to the next use.\n";
constexpr const char* kFailure = "ATC run failed, Please check the detail log, Try 'atc --help'\n";

fs::path om_path(const std::string& output) {
  return output.ends_with(".om") ? output : output + ".om";
}

Status require(const Arguments& arguments, const std::string& flag, const std::string& example) {
  if (arguments.has(flag)) return {};
  return Error("E10001", fmt::format("parameter [{}] is missing", flag), example);
}

Status write_reports(const compile::Compiled& compiled, const Arguments& arguments) {
  if (arguments.has("--fusion_result"))
    OPKIT_CHECK(write_file(arguments.get("--fusion_result"),
                           compile::fusion_result(compiled).dump(2) + "\n"));
  if (!arguments.has("--picture")) return {};
  const std::string prefix = arguments.get("--picture");
  OPKIT_CHECK(write_file(prefix + "_before.dot", compile::picture_before(compiled)));
  return write_file(prefix + "_after.dot", compile::picture_after(compiled));
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

void show(const compile::Compiled& compiled, const fs::path& output, const std::string& checked,
          bool explain, Console& console) {
  Json json = compile::summary_json(compiled);
  json["output"] = output.string();
  if (!checked.empty()) json["checked"] = checked;
  if (explain) json["explain"] = compile::explain_json(compiled);
  console.show(json, (explain ? compile::explain_text(compiled) : "") +
                         compile::summary_text(compiled) + checked + kSuccess);
}

Status insert_aipp(const Arguments& arguments, graph::Graph& graph) {
  if (!arguments.has("--insert_op_conf")) return {};
  const std::string file = arguments.get("--insert_op_conf");
  OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 22));
  OPKIT_TRY(const auto all, compile::parse_aipp(text, file));
  return compile::insert_aipp(graph, all);
}

// What --check and --bisect found; without the fusions that --bisect dropped.
Result<std::string> check(compile::Compiled& compiled, const Arguments& arguments,
                          const InstalledOps& ops, const compile::Options& options) {
  if (arguments.has("--bisect")) {
    OPKIT_TRY(compile::Bisection found, compile::bisect(std::move(compiled), ops, options));
    compiled = std::move(found.compiled);
    return compile::bisection_text(found);
  }
  if (!arguments.has("--check")) return std::string();
  OPKIT_TRY(const compile::Proof proof, compile::prove(compiled, ops, options));
  return compile::proof_text(proof);
}

Outcome compile_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_required(arguments));
  OPKIT_TRY(compile::Options options, atc_options(arguments, console));
  onnx_frontend::ImportOptions import;
  OPKIT_TRY(import.input_shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  const fs::path output = om_path(arguments.get("--output"));
  OPKIT_CHECK(check_writable(output));
  OPKIT_TRY(graph::Graph graph, onnx_frontend::import_file(arguments.get("--model"), import));
  OPKIT_CHECK(insert_aipp(arguments, graph));
  OPKIT_CHECK(read_calibration(arguments, graph, options));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = InstalledOps::open(registry, options.candidates.soc);
  OPKIT_TRY(compile::Compiled compiled, compile::compile(std::move(graph), ops, options));
  for (const Error& warning : compiled.warnings) console.note(warning);
  OPKIT_TRY(const std::string checked, check(compiled, arguments, ops, options));
  compiled.schedule.model.made_by = "opkit " + std::string(project::kit_version());
  if (arguments.get("--log") == "info" || arguments.get("--log") == "debug")
    log_rewrites(compiled, console);
  OPKIT_CHECK(model::save(output, compiled.model()));
  OPKIT_CHECK(write_reports(compiled, arguments));
  show(compiled, output, checked, arguments.has("--explain"), console);
  return kOk;
}

Outcome show_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(require(arguments, "--om", "--mode=6 --om=resnet50.om"));
  OPKIT_TRY(const model::OfflineModel model, model::load(arguments.get("--om")));
  console.show(om_json(model), om_info_text(model));
  return kOk;
}

Outcome run(const Arguments& arguments, Console& console) {
  Status flags = check_atc_flags(arguments);
  if (flags.ok() && arguments.get("--mode") == "6") return show_model(arguments, console);
  Outcome outcome =
      flags.ok() ? compile_model(arguments, console) : Outcome(std::move(flags).error());
  if (!outcome.ok()) console.print(kFailure);
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
          "Other flags of the vendor's atc are known and refused by name (E10007).",
      .positionals = {},
      .flags = atc_flags(),
      .examples = {{"atc --model=resnet50.onnx --framework=5 --output=resnet50 "
                    "--soc_version=Ascend910B1",
                    "writes resnet50.om"},
                   {"opkit atc --model=m.onnx --framework=5 --output=m --soc_version=Ascend310B1 "
                    "--no-fallback --explain",
                    "who takes which node; no host operators"},
                   {"atc --mode=6 --om=resnet50.om", "what an offline model holds"}},
      .run = run,
  };
}

}  // namespace opkit::cli
