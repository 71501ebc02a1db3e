#include "opkit/cli/models/atc_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/compile/accepted_flags.h"
#include "opkit/atc/compile/precision.h"
#include "opkit/base/file.h"
#include "opkit/base/npy.h"
#include "opkit/base/suggest.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/reference/tensor.h"
#include "opkit/soc/soc_spec.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

Error invalid(const std::string& flag, const std::string& value, const std::string& why,
              const std::string& action) {
  return Error(
      "E10001",
      fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", value, flag, why),
      action);
}

Status read_precision(const Arguments& arguments, compile::Options& options) {
  const bool first = arguments.has("--precision_mode"),
             second = arguments.has("--precision_mode_v2");
  if (first && second)
    return invalid("--precision_mode_v2", arguments.get("--precision_mode_v2"),
                   "it may not be given together with --precision_mode", "leave one of them out");
  compile::PrecisionMode& mode = options.precision.mode;
  if (first) {
    OPKIT_TRY(mode, compile::parse_precision_mode(arguments.get("--precision_mode")));
  }
  if (second) {
    OPKIT_TRY(mode, compile::parse_precision_mode_v2(arguments.get("--precision_mode_v2")));
  }
  if (!arguments.has("--keep_dtype")) return {};
  options.keep_dtype_file = arguments.get("--keep_dtype");
  OPKIT_TRY(options.keep_dtype, read_file(options.keep_dtype_file, size_t{1} << 22));
  return {};
}

Result<std::string> soc_version(const Arguments& arguments, Console& console) {
  const std::string given = arguments.get("--soc_version");
  auto name = checked_soc(given, console);
  if (name.ok()) return name;
  return invalid("--soc_version", given, name.error().message, name.error().action);
}

// Returns the command line as mode 6 shows it.
std::string command_of(const Arguments& arguments) {
  std::string text = "atc";
  for (const char* flag : {"--model",
                           "--singleop",
                           "--framework",
                           "--output",
                           "--soc_version",
                           "--input_shape",
                           "--input_format",
                           "--dynamic_batch_size",
                           "--dynamic_image_size",
                           "--dynamic_dims",
                           "--precision_mode",
                           "--precision_mode_v2",
                           "--keep_dtype",
                           "--op_select_implmode",
                           "--optypelist_for_implmode",
                           "--fusion_switch_file",
                           "--optimize-most",
                           "--optimize-seed",
                           "--insert_op_conf",
                           "--out_nodes",
                           "--output_type",
                           "--input_fp16_nodes"}) {
    if (arguments.has(flag)) text += fmt::format(" {}={}", flag, arguments.get(flag));
  }
  for (const char* flag : {"--generate_chains", "--optimize", "--no-fallback", "--no-check"}) {
    if (arguments.has(flag)) text += fmt::format(" {}", flag);
  }
  return text;
}

// --json alone asks for this command's own report as JSON.
Status check_json(const Arguments& arguments) {
  const std::string file = arguments.get("--json");
  const bool named = !file.empty() && file != "true";
  if (named && arguments.get("--mode") != "1")
    return invalid("--json", file, "it names what --mode=1 writes", "--mode=1 --json=" + file);
  return {};
}

Status check_optimize(const Arguments& arguments) {
  for (const char* flag : {"--optimize-most", "--optimize-seed"}) {
    if (arguments.has(flag) && !arguments.has("--optimize"))
      return invalid(flag, arguments.get(flag), "it is for --optimize, which is not given",
                     fmt::format("--optimize {}={}", flag, arguments.get(flag)));
  }
  return {};
}

}  // namespace

Status check_atc_flags(const Arguments& arguments) {
  for (const std::string& flag : missing_atc_flags()) {
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
  OPKIT_CHECK(only("--mode", {"0", "1", "6"},
                   "models are compiled (0), written as JSON (1) and shown (6)"));
  OPKIT_CHECK(check_json(arguments));
  for (const compile::AcceptedFlag& flag : compile::accepted_flags()) {
    const std::string called = "--" + flag.name;
    if (arguments.has(called)) OPKIT_CHECK(compile::check(flag, called, arguments.get(called)));
  }
  if (arguments.has("--optypelist_for_implmode") && !arguments.has("--op_select_implmode"))
    return invalid("--optypelist_for_implmode", arguments.get("--optypelist_for_implmode"),
                   "it names the ops that --op_select_implmode is for, which is not given",
                   "--op_select_implmode=high_performance");
  for (const char* flag : {"--check", "--bisect"}) {
    if (arguments.has("--no-check") && arguments.has(flag))
      return invalid("--no-check", "true", fmt::format("{} asks for the opposite", flag),
                     "leave one of them out");
  }
  OPKIT_CHECK(check_optimize(arguments));
  OPKIT_CHECK(only("--input_format", {"NCHW", "NCDHW", "ND"}, "ONNX models are NCHW, NCDHW or ND"));
  if (arguments.has("--insert_op_conf"))
    return only("--input_format", {"NCHW"}, "images of AIPP are for inputs in NCHW");
  return {};
}

Result<compile::Options> atc_options(const Arguments& arguments, Console& console) {
  compile::Options options;
  OPKIT_TRY(options.candidates.soc, soc_version(arguments, console));
  options.candidates.fallback = !arguments.has("--no-fallback");
  options.cost_cache = registry::default_cache_dir() / "costs";
  options.command = command_of(arguments);
  OPKIT_CHECK(read_precision(arguments, options));
  if (arguments.has("--fusion_switch_file")) {
    const std::string file = arguments.get("--fusion_switch_file");
    OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 22));
    OPKIT_TRY(options.candidates.switches, compile::parse_switches(text, file));
  }
  return options;
}

Result<compile::Gears> atc_gears(const Arguments& arguments, const std::string& soc) {
  OPKIT_TRY(compile::Gears gears,
            compile::read_gears({arguments.get("--input_shape"), arguments.get("--input_format"),
                                 arguments.get("--dynamic_batch_size"),
                                 arguments.get("--dynamic_image_size"),
                                 arguments.get("--dynamic_dims")}));
  const bool ranges = gears.kind == model::GearKind::kShapes;
  OPKIT_TRY(const SocMatch chip, find_soc(soc));
  if (ranges && !chip.spec->input_ranges)
    return invalid("--input_shape", arguments.get("--input_shape"),
                   fmt::format("{} takes no ranges", soc),
                   "use --dynamic_batch_size, --dynamic_image_size or --dynamic_dims");
  const bool dims = ranges || gears.kind == model::GearKind::kDims;
  if (dims && arguments.has("--insert_op_conf"))
    return invalid("--insert_op_conf", arguments.get("--insert_op_conf"),
                   "AIPP excludes --dynamic_dims and ranges in --input_shape",
                   "use --dynamic_batch_size or --dynamic_image_size");
  if (gears.kind != model::GearKind::kNone && arguments.has("--calibration"))
    return invalid("--calibration", arguments.all("--calibration")[0],
                   "its data has one shape, the model has several gears",
                   "calibrate a compilation for one shape");
  return gears;
}

Status read_calibration(const Arguments& arguments, const graph::Graph& graph,
                        compile::Options& options) {
  for (const std::string& text : arguments.all("--calibration")) {
    OPKIT_TRY(const Assignment assignment, parse_assignment("--calibration", text, graph.inputs));
    OPKIT_TRY(const Tensor tensor, load_npy(assignment.value, {}));
    const auto known = graph.values.find(assignment.name);
    const bool is_input = std::count(graph.inputs.begin(), graph.inputs.end(), assignment.name) > 0;
    if (!is_input || known->second.dtype != tensor.dtype() || known->second.shape != tensor.shape())
      return invalid("--calibration", text,
                     fmt::format("the model has no input '{}' of {}{}", assignment.name,
                                 name_of(tensor.dtype()), tensor.shape().to_string()),
                     suggest(assignment.name, graph.inputs));
    OPKIT_TRY(options.calibration[assignment.name], reference::from_tensor(tensor));
  }
  const size_t given = options.calibration.size();
  if (given == 0 || given == graph.inputs.size()) return {};
  return invalid("--calibration", "", "some inputs of the model are not given",
                 "give one file for each input");
}

}  // namespace opkit::cli
