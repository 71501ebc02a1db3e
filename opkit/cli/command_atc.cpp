// opkit atc, and the program atc: a model to an offline model.
#include <fmt/format.h>

#include <filesystem>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/arguments.h"
#include "opkit/cli/console.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/om_text.h"
#include "opkit/cli/opp_option.h"
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

// Flags of the vendor's program that this one does not have yet.
const std::vector<std::string>& missing_flags() {
  static const std::vector<std::string> flags = {"--weight",
                                                 "--dynamic_batch_size",
                                                 "--dynamic_image_size",
                                                 "--dynamic_dims",
                                                 "--singleop",
                                                 "--output_type",
                                                 "--check_report",
                                                 "--json_file",
                                                 "--host_env_os",
                                                 "--host_env_cpu",
                                                 "--core_type",
                                                 "--aicore_num",
                                                 "--virtual_type",
                                                 "--out_nodes",
                                                 "--insert_op_conf",
                                                 "--input_fp16_nodes",
                                                 "--is_input_adjust_hw_layout",
                                                 "--is_output_adjust_hw_layout",
                                                 "--op_name_map",
                                                 "--external_weight",
                                                 "--save_original_model",
                                                 "--enable_small_channel",
                                                 "--buffer_optimize",
                                                 "--disable_reuse_memory",
                                                 "--enable_single_stream",
                                                 "--ac_parallel_enable",
                                                 "--oo_level",
                                                 "--oo_constant_folding",
                                                 "--deterministic",
                                                 "--sparsity",
                                                 "--compression_optimize_conf",
                                                 "--modify_mixlist",
                                                 "--keep_dtype",
                                                 "--customize_dtypes",
                                                 "--op_select_implmode",
                                                 "--optypelist_for_implmode",
                                                 "--op_precision_mode",
                                                 "--op_debug_level",
                                                 "--debug_dir",
                                                 "--op_compiler_cache_mode",
                                                 "--op_compiler_cache_dir",
                                                 "--display_model_info",
                                                 "--export_compile_stat"};
  return flags;
}

Error invalid(const std::string& flag, const std::string& value, const std::string& why,
              const std::string& action) {
  return Error(
      "E10001",
      fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", value, flag, why),
      action);
}

Status check_flags(const Arguments& arguments) {
  for (const std::string& flag : missing_flags()) {
    if (arguments.has(flag))
      return Error("E10007", fmt::format("parameter [{}] is not supported by this atc yet", flag),
                   "leave it out; opkit atc --help lists what there is");
  }
  const auto only = [&](const std::string& flag, const std::vector<std::string>& allowed,
                        const std::string& why) -> Status {
    if (!arguments.has(flag)) return {};
    const std::string value = arguments.get(flag);
    for (const std::string& one : allowed) {
      if (value == one) return {};
    }
    return invalid(flag, value, why, fmt::format("{}={}", flag, allowed[0]));
  };
  OPKIT_CHECK(only("--framework", {"5"}, "only ONNX models (5) are read"));
  OPKIT_CHECK(only("--mode", {"0", "6"}, "models are compiled (0) and shown (6)"));
  OPKIT_CHECK(only("--input_format", {"NCHW", "ND"}, "ONNX models are NCHW or ND"));
  OPKIT_CHECK(only("--precision_mode", {"must_keep_origin_dtype"},
                   "no casts are inserted: the model's element types stay"));
  return only("--precision_mode_v2", {"origin"},
              "no casts are inserted: the model's element types stay");
}

// The command line as mode 6 shows it.
std::string command_of(const Arguments& arguments) {
  std::string text = "atc";
  for (const char* flag :
       {"--model", "--framework", "--output", "--soc_version", "--input_shape", "--input_format",
        "--precision_mode", "--precision_mode_v2", "--fusion_switch_file"}) {
    if (arguments.has(flag)) text += fmt::format(" {}={}", flag, arguments.get(flag));
  }
  return text + (arguments.has("--no-fallback") ? " --no-fallback" : "");
}

Result<compile::Options> options_of(const Arguments& arguments, Console& console) {
  compile::Options options;
  OPKIT_TRY(options.candidates.soc, checked_soc(arguments.get("--soc_version"), console));
  options.candidates.fallback = !arguments.has("--no-fallback");
  options.cost_cache = registry::default_cache_dir() / "costs";
  options.command = command_of(arguments);
  if (arguments.has("--fusion_switch_file")) {
    const std::string file = arguments.get("--fusion_switch_file");
    OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 22));
    OPKIT_TRY(options.candidates.switches, compile::parse_switches(text, file));
  }
  return options;
}

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

Outcome compile_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_required(arguments));
  OPKIT_TRY(compile::Options options, options_of(arguments, console));
  onnx_frontend::ImportOptions import;
  OPKIT_TRY(import.input_shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  const fs::path output = om_path(arguments.get("--output"));
  OPKIT_CHECK(check_writable(output));
  OPKIT_TRY(graph::Graph graph, onnx_frontend::import_file(arguments.get("--model"), import));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = InstalledOps::open(registry, options.candidates.soc);
  OPKIT_TRY(compile::Compiled compiled, compile::compile(std::move(graph), ops, options));
  compiled.schedule.model.made_by = "opkit " + std::string(project::kit_version());
  if (arguments.get("--log") == "info" || arguments.get("--log") == "debug")
    log_rewrites(compiled, console);
  std::string checked;
  if (arguments.has("--check")) {
    OPKIT_TRY(const compile::Proof proof, compile::prove(compiled, ops, options));
    checked = compile::proof_text(proof);
  }
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
  Status flags = check_flags(arguments);
  if (flags.ok() && arguments.get("--mode") == "6") return show_model(arguments, console);
  Outcome outcome =
      flags.ok() ? compile_model(arguments, console) : Outcome(std::move(flags).error());
  if (!outcome.ok()) console.print(kFailure);
  return outcome;
}

std::vector<Flag> flags() {
  std::vector<Flag> flags = {
      {.name = "--model", .value = "FILE", .help = "the ONNX model", .complete = Complete::kFile},
      {.name = "--framework", .value = "N", .help = "5: ONNX"},
      {.name = "--output",
       .value = "PATH",
       .help = "the offline model; .om is added",
       .complete = Complete::kFile},
      {.name = "--soc_version",
       .value = "NAME",
       .help = "the chip: Ascend910B1, Ascend310B1, ...",
       .complete = Complete::kSoc},
      {.name = "--input_shape",
       .value = "NAME:DIMS;...",
       .help = "dims of inputs that the model leaves open"},
      {.name = "--input_format", .value = "FORMAT", .help = "NCHW or ND"},
      {.name = "--precision_mode",
       .value = "MODE",
       .help = "must_keep_origin_dtype, which is what happens without it, too"},
      {.name = "--precision_mode_v2", .value = "MODE", .help = "origin: the same"},
      {.name = "--fusion_switch_file",
       .value = "FILE",
       .help = "ops that are not to be used, a line such as AddRelu:off each",
       .complete = Complete::kFile},
      {.name = "--mode",
       .value = "N",
       .help = "0: compile; 6: show the offline model of --om",
       .preset = "0"},
      {.name = "--om",
       .value = "FILE",
       .help = "an offline model, with --mode=6",
       .complete = Complete::kFile},
      {.name = "--log",
       .value = "LEVEL",
       .help = "info and debug: how many places each rewrite changed",
       .choices = {"debug", "info", "warning", "error", "null"},
       .preset = "null"},
      {.name = "--no-fallback",
       .value = "",
       .help = "a node that no plugin takes is an error (EZ3003) instead of a step on the host"},
      {.name = "--check",
       .value = "",
       .help = "run every chosen kernel on integers beside its reference, and both covers on data"},
      {.name = "--explain",
       .value = "",
       .help = "per node: who took it, who could have, who declined and why"},
      {.name = "--fusion_result",
       .value = "FILE",
       .help = "how often each fused op matched and was chosen, as JSON",
       .complete = Complete::kFile},
      {.name = "--picture",
       .value = "PREFIX",
       .help = "PREFIX_before.dot and PREFIX_after.dot, for Graphviz"},
      opp_flag(),
  };
  for (const std::string& name : missing_flags())
    flags.push_back({.name = name, .value = "VALUE", .help = "refused", .hidden = true});
  return flags;
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
      .flags = flags(),
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
