#include "opkit/cli/imported_model.h"

#include <fmt/format.h>

#include "opkit/compile/input_shapes.h"
#include "opkit/frontend/onnx/import.h"

namespace opkit::cli {

Result<graph::Graph> imported_model(const std::string& file,
                                    const std::map<std::string, Shape>& shapes,
                                    const Arguments& arguments) {
  auto graph = onnx_frontend::import_file(file, {.input_shapes = shapes});
  if (graph.ok() || graph.error().code != onnx_frontend::kBadInput) return graph;
  return std::move(graph).error().with(
      fmt::format("option --input_shape={}", arguments.get("--input_shape")));
}

Result<graph::Graph> imported_model(const std::string& file, const Arguments& arguments) {
  OPKIT_TRY(const auto shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  return imported_model(file, shapes, arguments);
}

}  // namespace opkit::cli
