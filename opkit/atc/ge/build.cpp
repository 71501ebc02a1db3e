#include "opkit/atc/ge/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "opkit/atc/compile/accepted_flags.h"
#include "opkit/atc/compile/aipp.h"
#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/gears.h"
#include "opkit/atc/compile/model_interface.h"
#include "opkit/atc/ge/lower.h"
#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"
#include "opkit/soc/soc_spec.h"
#include "registry/probe.h"

namespace opkit::ge_frontend {
namespace {

// Lists the options that are used, beside compile::accepted_flags().
const std::vector<std::string>& used_options() {
  static const std::vector<std::string> all = {
      "soc_version",        "input_format",       "input_shape",        "insert_op_file",
      "precision_mode",     "precision_mode_v2",  "fusion_switch_file", "log",
      "dynamic_batch_size", "dynamic_image_size", "dynamic_dims",       "output_type",
      "out_nodes",          "input_fp16_nodes"};
  return all;
}

const std::vector<std::string>& missing_options() {
  static const std::vector<std::string> all = {"optypelist_for_implmode", "aicore_num"};
  return all;
}

std::vector<std::string> all_options() {
  std::vector<std::string> names = used_options();
  for (const compile::AcceptedFlag& flag : compile::accepted_flags()) names.push_back(flag.name);
  return names;
}

// Tells whether an option belongs to a model, not to the process.
bool is_of_one_model(const std::string& name) {
  for (const char* one :
       {"input_format", "input_shape", "insert_op_file", "dynamic_batch_size", "dynamic_image_size",
        "dynamic_dims", "output_type", "out_nodes", "input_fp16_nodes"}) {
    if (name == one) return true;
  }
  return false;
}

Status check_name(const std::string& name, bool for_process) {
  const std::vector<std::string> names = all_options();
  const bool missing = std::ranges::count(missing_options(), name) > 0;
  if (!missing && std::ranges::count(names, name) == 0)
    return Error("OPK-GE-004", fmt::format("there is no build option '{}'", name),
                 suggest(name, names));
  if (missing)
    return Error("OPK-GE-004",
                 fmt::format("build option '{}' is not there for graphs that programs build", name),
                 "leave it out; atc has more options for ONNX models");
  if (!for_process || !is_of_one_model(name)) return {};
  return Error("OPK-GE-004",
               fmt::format("build option '{}' is for one model, not for the process", name),
               "give it to aclgrphBuildModel");
}

std::string value(const BuildOptions& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? std::string() : found->second;
}

Error bad_value(const BuildOptions& options, const std::string& name, const std::string& why,
                const std::string& action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}",
                           value(options, name), name, why),
               action);
}

Result<compile::PrecisionMode> precision_of(const BuildOptions& options) {
  const bool first = options.count("precision_mode") > 0,
             second = options.count("precision_mode_v2") > 0;
  if (first && second)
    return bad_value(options, "precision_mode_v2", "precision_mode is given, too",
                     "leave one of them out");
  if (first) return compile::parse_precision_mode(value(options, "precision_mode"));
  if (second) return compile::parse_precision_mode_v2(value(options, "precision_mode_v2"));
  return compile::PrecisionMode::kOrigin;
}

Status check_values(const BuildOptions& options) {
  for (const auto& [name, text] : options) {
    const compile::AcceptedFlag* flag = compile::find_accepted_flag(name);
    if (flag != nullptr) OPKIT_CHECK(compile::check(*flag, name, text));
  }
  if (options.count("soc_version") > 0) {
    OPKIT_TRY(const SocMatch soc, find_soc(value(options, "soc_version")));
    (void)soc;
  }
  const std::string format = value(options, "input_format");
  if (!format.empty() && format != "NCHW" && format != "ND")
    return bad_value(options, "input_format", "graphs are NCHW or ND", "NCHW");
  OPKIT_TRY(const compile::PrecisionMode precision, precision_of(options));
  (void)precision;
  return {};
}

Result<compile::Options> compile_options(const BuildOptions& options) {
  compile::Options made;
  if (options.count("soc_version") == 0)
    return Error("E10001", "parameter [soc_version] is missing",
                 "aclgrphBuildInitialize({{ge::ir_option::SOC_VERSION, \"Ascend910B1\"}})");
  OPKIT_TRY(const SocMatch soc, find_soc(value(options, "soc_version")));
  made.candidates.soc = soc.spec->name;
  made.cost_cache = registry::default_cache_dir();
  if (!made.cost_cache.empty()) made.cost_cache /= "costs";
  OPKIT_TRY(made.precision.mode, precision_of(options));
  const std::string switches = value(options, "fusion_switch_file");
  if (!switches.empty()) {
    OPKIT_TRY(const std::string text, read_file(switches, size_t{1} << 22));
    OPKIT_TRY(made.candidates.switches, compile::parse_switches(text, switches));
  }
  made.command = "aclgrphBuildModel";
  for (const auto& [name, text] : options) made.command += fmt::format(" {}={}", name, text);
  return made;
}

Result<std::vector<compile::InsertedAipp>> insert_images(const BuildOptions& options,
                                                         model::GearKind gears,
                                                         graph::Graph& graph) {
  const std::string file = value(options, "insert_op_file");
  if (file.empty()) return std::vector<compile::InsertedAipp>();
  OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 22));
  OPKIT_TRY(const auto all, compile::parse_aipp(text, file));
  return compile::insert_aipp(graph, all, gears, value(options, "input_fp16_nodes"));
}

// Returns the shapes for which the graph is compiled.
Result<compile::Gears> gears_of(const BuildOptions& options) {
  OPKIT_TRY(
      compile::Gears gears,
      compile::read_gears({value(options, "input_shape"), value(options, "input_format"),
                           value(options, "dynamic_batch_size"),
                           value(options, "dynamic_image_size"), value(options, "dynamic_dims")}));
  const bool dims = gears.kind == model::GearKind::kDims || gears.kind == model::GearKind::kShapes;
  if (!dims || options.count("insert_op_file") == 0) return gears;
  return bad_value(options, "insert_op_file",
                   "AIPP excludes dynamic_dims and ranges in input_shape",
                   "use dynamic_batch_size or dynamic_image_size");
}

// Compiles the graph for the dims of one gear.
Result<model::OfflineModel> compile_gear(const ge::Graph& from, const BuildOptions& options,
                                         const std::map<std::string, Shape>& shapes,
                                         model::GearKind gears, const InstalledOps& ops,
                                         const compile::Options& how) {
  const auto contract_of = [&](const std::string& type) {
    const InstalledOp* op = ops.find(type);
    return op == nullptr ? nullptr : &op->contract();
  };
  OPKIT_TRY(graph::Graph graph, lower(from, shapes, contract_of));
  OPKIT_CHECK(
      compile::change_interface(graph, {value(options, "out_nodes"), value(options, "output_type"),
                                        value(options, "input_fp16_nodes")}));
  OPKIT_TRY(auto images, insert_images(options, gears, graph));
  OPKIT_TRY(compile::Compiled compiled, compile::compile(std::move(graph), ops, how));
  compiled.schedule.model.made_by = "opkit " OPKIT_VERSION;
  compile::keep(std::move(images), compiled.schedule.model);
  compile::state_input_formats(compiled.schedule.model, value(options, "input_format"));
  return std::move(compiled.schedule.model);
}

Result<model::OfflineModel> compile_gears(const ge::Graph& from, const BuildOptions& options,
                                          const compile::Gears& gears, const InstalledOps& ops,
                                          const compile::Options& how) {
  if (gears.kind == model::GearKind::kNone)
    return compile_gear(from, options, gears.shapes[0], gears.kind, ops, how);
  model::GearJoin join(gears.kind);
  for (size_t g = 0; g < gears.shapes.size(); ++g) {
    auto made = compile_gear(from, options, gears.shapes[g], gears.kind, ops, how);
    if (!made.ok())
      return std::move(made).error().with("gear " + compile::gear_text(gears.values[g]));
    join.add(gears.values[g], std::move(*made));
  }
  return join.take();
}

}  // namespace

Status check_options(const BuildOptions& options, bool for_process) {
  for (const auto& [name, text] : options) OPKIT_CHECK(check_name(name, for_process));
  return check_values(options);
}

Result<std::string> build_model(const ge::Graph& from, const BuildOptions& options) {
  OPKIT_CHECK(check_options(options, false));
  OPKIT_TRY(const compile::Options how, compile_options(options));
  OPKIT_TRY(const compile::Gears gears, gears_of(options));
  const registry::Registry registry = registry::Registry::open();
  // No probes: a program may have threads, which a fork would not survive.
  const InstalledOps ops = InstalledOps::open(registry, how.candidates.soc, in_this_process(false));
  OPKIT_TRY(const model::OfflineModel model, compile_gears(from, options, gears, ops, how));
  OPKIT_CHECK(model::validate(model));
  return model::encode(model);
}

}  // namespace opkit::ge_frontend
