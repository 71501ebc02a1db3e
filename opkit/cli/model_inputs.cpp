#include "opkit/cli/model_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/npy.h"
#include "opkit/base/suggest.h"
#include "opkit/cli/generated.h"
#include "opkit/cli/prepared_call.h"

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
  uniform(seed)({.tensor = tensor, .port = port});
  return tensor;
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
                   fmt::format("{} {}={}", flag, assignment.name, assignment.value));
  }
  return files;
}

Result<std::vector<Tensor>> model_inputs(const OfflineModel& model, const Arguments& arguments,
                                         WithoutFile without) {
  const std::vector<std::string> names = names_of(model, model.inputs);
  OPKIT_TRY(const auto files, model_files(arguments, "--input", names));
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < names.size(); ++i) {
    const TensorDesc& wanted = model.tensors[model.inputs[i]].desc;
    const auto file = files.find(names[i]);
    if (file == files.end() && without == WithoutFile::kRefused)
      return Error(model::kBadInput, fmt::format("input '{}' is not given", names[i]),
                   fmt::format("--input {}=data.npy", names[i]));
    if (file == files.end()) {
      inputs.push_back(generated_input(wanted, seed_of(arguments), i));
      continue;
    }
    OPKIT_TRY(Tensor tensor, read_input(wanted, file->second));
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

}  // namespace opkit::cli
