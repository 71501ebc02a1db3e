#include "opkit/quantize/source_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/file.h"
#include "opkit/quantize/codes.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit::quantize {
namespace {

namespace fs = std::filesystem;

bool is_open(const std::vector<int64_t>& dims) {
  return std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; });
}

Error open_dims(const onnx_frontend::FileInput& input) {
  return Error(
      kDataMisfit,
      fmt::format("the dims of the input '{}' are open, and the data do not fit them", input.name),
      fmt::format("give --input_shape \"{}:1,3,224,224\" with its dims", input.name));
}

}  // namespace

std::vector<std::string> SourceModel::input_names() const {
  std::vector<std::string> names;
  for (const auto& input : inputs) names.push_back(input.name);
  return names;
}

std::vector<Wanted> SourceModel::wanted() const {
  std::vector<Wanted> all;
  for (const std::string& name : graph.inputs) {
    const graph::ValueInfo& value = graph.values.at(name);
    all.push_back({name, value.dtype, value.shape.value_or(Shape())});
  }
  return all;
}

Result<SourceModel> open_model(const fs::path& file) {
  OPKIT_TRY(const std::string bytes, read_file(file));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  SourceModel model;
  auto inside = onnx_frontend::self_contained(bytes, folder);
  if (!inside.ok()) return std::move(inside).error().with("model " + file.string());
  model.bytes = std::move(*inside);
  OPKIT_TRY(model.inputs, onnx_frontend::inputs_of_file(model.bytes));
  return model;
}

Status take_graph(const std::map<std::string, Shape>& shapes, const Samples* samples, int least,
                  SourceModel& model) {
  std::map<std::string, Shape> known = shapes;
  for (const auto& input : model.inputs) {
    if (known.count(input.name) > 0 || (input.dims && !is_open(*input.dims))) continue;
    const auto closed =
        samples == nullptr || !input.dims ? std::nullopt : samples->close(input.name, *input.dims);
    if (samples != nullptr && !closed) return open_dims(input);
    if (closed) known.emplace(input.name, *closed);
  }
  OPKIT_TRY(model.bytes, onnx_frontend::in_version(model.bytes, least, known));
  OPKIT_TRY(model.graph, onnx_frontend::import_model(model.bytes, {.input_shapes = known}));
  return reference::infer(model.graph);
}

}  // namespace opkit::quantize
