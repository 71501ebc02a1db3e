#include "opkit/cli/models/model_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "opkit/base/npy.h"
#include "opkit/base/suggest.h"
#include "opkit/cli/models/aipp_inputs.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/model/file/gears.h"

namespace opkit::cli {

using model::OfflineModel;

namespace {

Result<Tensor> read_input(const TensorDesc& wanted, const std::string& file) {
  NpyOptions options;
  if (wanted.dtype == DType::kBFloat16 || wanted.dtype == DType::kInt4) options.as = wanted.dtype;
  return load_npy(file, options);
}

// Indices, labels, axes and lengths are zeros: nothing says how many there are of what they count.
Tensor generated_input(const TensorDesc& wanted, uint64_t seed, size_t port) {
  Tensor tensor(wanted.dtype, wanted.shape, wanted.name);
  if (wanted.dtype == DType::kInt32 || wanted.dtype == DType::kInt64) return tensor;
  measure::uniform(seed)({.tensor = tensor, .port = port});
  return tensor;
}

const TensorDesc& wanted_input(const model::Plan& plan, size_t input) {
  return plan.tensors[plan.inputs[input]].desc;
}

// Returns the first that does not have the gear's dims.
std::optional<size_t> misfit(const model::Plan& plan, const GivenInputs& given) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] && given[i]->shape() != wanted_input(plan, i).shape) return i;
  }
  return std::nullopt;
}

Result<size_t> named_gear(const OfflineModel& model, const std::string& text,
                          const GivenInputs& given) {
  for (size_t g = 0; g < model.gears.size(); ++g) {
    if (fmt::format("{}", fmt::join(model.gears[g], ",")) != text) continue;
    const auto wrong = misfit(model.plan(g), given);
    if (!wrong) return g;
    const TensorDesc& wanted = wanted_input(model.plan(g), *wrong);
    return Error(
        "OPK-CLI-004",
        fmt::format("--gear is '{}', whose input '{}' is {}; the file has {}", text, wanted.name,
                    wanted.shape.to_string(), given[*wrong]->shape().to_string()),
        "leave out --gear: the dims of files choose");
  }
  if (model.gears.empty())
    return Error("OPK-CLI-004", fmt::format("--gear is '{}', and the model has no gears", text),
                 "leave out --gear");
  return Error(
      "OPK-CLI-004",
      fmt::format("--gear is '{}'; the model's gears are {}", text, model::gears_text(model)),
      fmt::format("--gear {}", fmt::join(model.gears[0], ",")));
}

// Chooses the gear for dims of inputs without a file.
Result<size_t> wanted_gear(const OfflineModel& model, const Arguments& arguments,
                           const GivenInputs& given) {
  if (const auto text = arguments.find("--gear")) return named_gear(model, *text, given);
  for (size_t g = 0; g < model.plan_count(); ++g) {
    if (!misfit(model.plan(g), given)) return g;
  }
  return size_t{0};  // no gear takes the files, as whoever runs the model says
}

Status check_complete(const OfflineModel& model, const GivenInputs& given) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i]) continue;
    const std::string& name = wanted_input(model, i).name;
    return Error(
        model::kBadInput, fmt::format("input '{}' is not given", name),
        takes_aipp_settings(model, i) ? "--aipp aipp.cfg" : assigned("--input", name, "data.npy"));
  }
  return {};
}

}  // namespace

Flag model_input_flag(const std::string& help) {
  return {.name = "--input",
          .value = "NAME=FILE",
          .help = help,
          .complete = Complete::kFile,
          .repeated = true};
}

std::vector<std::string> names_of(const OfflineModel& model, const std::vector<uint32_t>& ends) {
  std::vector<std::string> names;
  for (const uint32_t t : ends) names.push_back(model.tensors[t].desc.name);
  return names;
}

Result<std::map<std::string, std::string>> model_files(const Arguments& arguments,
                                                       const std::string& flag,
                                                       const std::vector<std::string>& names) {
  std::map<std::string, std::string> files;
  for (const std::string& text : arguments.all(flag)) {
    OPKIT_TRY(const Assignment assignment, parse_assignment(flag, text, names));
    if (std::find(names.begin(), names.end(), assignment.name) == names.end())
      return Error(model::kBadInput,
                   fmt::format("the model has no {} '{}'", flag == "--input" ? "input" : "output",
                               assignment.name),
                   suggest(assignment.name, names));
    if (!files.emplace(assignment.name, assignment.value).second)
      return Error("OPK-CLI-004", fmt::format("{} names {} twice", flag, assignment.name),
                   assigned(flag, assignment.name, assignment.value));
  }
  return files;
}

Flag gear_flag() {
  return {.name = "--gear",
          .value = "VALUES",
          .help =
              "of a model with gears: whose dims inputs without a file have, such as 4 or "
              "224,224 (opkit om show lists them) [the first that the files fit]"};
}

namespace {

Result<GivenInputs> read_inputs(const OfflineModel& model, const Arguments& arguments) {
  const std::vector<std::string> names = names_of(model, model.inputs);
  OPKIT_TRY(const auto files, model_files(arguments, "--input", names));
  GivenInputs given(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const auto file = files.find(names[i]);
    if (file == files.end()) continue;
    OPKIT_TRY(given[i], read_input(wanted_input(model, i), file->second));
  }
  return given;
}

}  // namespace

Result<std::vector<Tensor>> model_inputs(const OfflineModel& model, const Arguments& arguments,
                                         WithoutFile without) {
  OPKIT_TRY(GivenInputs given, read_inputs(model, arguments));
  OPKIT_TRY(const AippInputs aipp, AippInputs::read(model, arguments));
  OPKIT_CHECK(aipp.give(given));
  if (without == WithoutFile::kRefused) OPKIT_CHECK(check_complete(model, given));
  OPKIT_TRY(const size_t gear, wanted_gear(model, arguments, given));
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) {
      OPKIT_TRY(given[i], aipp.settings(model.plan(gear), i));
    }
    if (!given[i])
      given[i] = generated_input(wanted_input(model.plan(gear), i), seed_of(arguments), i);
    inputs.push_back(std::move(*given[i]));
  }
  return inputs;
}

Result<size_t> gear_of(const OfflineModel& model, const std::vector<Tensor>& inputs) {
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  return model::gear_of(model, shapes);
}

std::string gear_words(const std::vector<int64_t>& gear) {
  return gear.empty() ? "" : fmt::format(", gear {}", fmt::join(gear, ","));
}

}  // namespace opkit::cli
