#include "opkit/cli/models/single_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "opkit/atc/compile/single_op.h"
#include "opkit/base/file.h"
#include "opkit/build/project/sdk.h"
#include "opkit/cli/models/atc_options.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;

struct Made {
  std::string file;
  model::OfflineModel model;
};

// Checks what says something of a whole model.
Status check_flags(const Arguments& arguments) {
  for (const char* flag : {"--model",
                           "--framework",
                           "--input_shape",
                           "--input_format",
                           "--dynamic_batch_size",
                           "--dynamic_image_size",
                           "--dynamic_dims",
                           "--insert_op_conf",
                           "--out_nodes",
                           "--output_type",
                           "--input_fp16_nodes",
                           "--precision_mode",
                           "--precision_mode_v2",
                           "--keep_dtype",
                           "--fusion_switch_file",
                           "--generate_chains",
                           "--calibration",
                           "--check",
                           "--bisect",
                           "--explain",
                           "--fusion_result",
                           "--picture",
                           "--display_model_info"}) {
    if (arguments.has(flag))
      return Error(
          "E10001",
          fmt::format("value [{}] for parameter [{}] is invalid. Reason: it is for models, "
                      "and --singleop compiles single operators",
                      arguments.get(flag), flag),
          "leave one of them out");
  }
  for (const auto& [flag, example] : {std::pair("--output", "--output=op_models"),
                                      {"--soc_version", "--soc_version=Ascend910B1"}}) {
    if (!arguments.has(flag))
      return Error("E10001", fmt::format("parameter [{}] is missing", flag), example);
  }
  return {};
}

Result<fs::path> folder_of(const Arguments& arguments) {
  const fs::path folder = arguments.get("--output");
  std::error_code code;
  if (!fs::exists(folder, code) || fs::is_directory(folder, code)) return folder;
  return Error("E10001",
               fmt::format("value [{}] for parameter [--output] is invalid. Reason: it is a file, "
                           "and models of single operators go into a folder",
                           folder.string()),
               "--output=op_models");
}

std::vector<std::string> types_of(const std::vector<compile::SingleOp>& all) {
  std::set<std::string> types;
  for (const compile::SingleOp& one : all) types.insert(one.op);
  return {types.begin(), types.end()};
}

Status save_all(const fs::path& folder, const std::vector<Made>& all) {
  std::error_code code;
  fs::create_directories(folder, code);
  for (const Made& made : all) OPKIT_CHECK(check_writable(folder / made.file));
  for (size_t i = 0; i < all.size(); ++i) {
    const Status saved = model::save(folder / all[i].file, all[i].model);
    if (saved.ok()) continue;
    while (i-- > 0) fs::remove(folder / all[i].file, code);
    return saved;
  }
  return {};
}

const model::Step& kernel_of(const model::OfflineModel& model) {
  return *std::ranges::find_if(
      model.steps, [](const model::Step& step) { return model::asks_plugin(step.kind); });
}

void show(const fs::path& folder, const std::vector<Made>& all, const std::string& runs,
          Console& console) {
  Json models = Json::array();
  std::string text;
  for (const Made& made : all) {
    const model::Step& step = kernel_of(made.model);
    const std::string file = (folder / made.file).string();
    models.push_back(
        {{"op", made.model.name},
         {"output", file},
         {"plugin", made.model.plugins[0].vendor + " " + made.model.plugins[0].version},
         {"modelled_ns", step.nanoseconds}});
    text += fmt::format("{}: {} {} of {}, modelled {:.1f} us\n", file, made.model.name,
                        made.model.plugins[0].version, made.model.plugins[0].vendor,
                        static_cast<double>(step.nanoseconds) / 1000);
  }
  console.show({{"models", std::move(models)}, {"runs", runs}},
               text + fmt::format("plugins ran {}\n", runs) + kAtcSuccess);
}

}  // namespace

Outcome compile_single_ops(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_flags(arguments));
  OPKIT_TRY(const fs::path folder, folder_of(arguments));
  const std::string file = arguments.get("--singleop");
  OPKIT_TRY(const std::string text, read_file(file, size_t{4} << 20));
  OPKIT_TRY(const auto asked, compile::read_single_ops(text, file));
  OPKIT_TRY(const compile::Options options, atc_options(arguments, console));
  const std::string& soc = options.candidates.soc;
  const registry::Registry registry = open_registry(arguments, console);
  OPKIT_CHECK(registry.check_lock(soc));
  const InstalledOps ops = open_ops(registry, soc, types_of(asked), arguments, console);
  OPKIT_TRY(compile::Costs costs, compile::Costs::of(soc, options.cost_cache));
  std::vector<Made> all;
  ProgressLine progress(console, "atc");
  for (const compile::SingleOp& one : asked) {
    progress.step(one.file);
    InstalledOp* const op = ops.find(one.op);
    if (op == nullptr) return Error(*ops.why_not(one.op)).at(one.where);
    OPKIT_TRY(compile::Schedule made, compile::compile_single_op(one, *op, soc, costs));
    made.model.made_by = "opkit " + std::string(project::kit_version());
    made.model.command = options.command;
    OPKIT_CHECK(model::validate(made.model));
    all.push_back({one.file, std::move(made.model)});
  }
  OPKIT_CHECK(save_all(folder, all));
  show(folder, all, runs_where(arguments), console);
  return kOk;
}

}  // namespace opkit::cli
