#include "opkit/cli/models/imported_model.h"

#include <fmt/format.h>

#include "opkit/atc/compile/input_shapes.h"
#include "opkit/atc/compile/installed_nodes.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit::cli {
namespace {

Result<graph::Graph> import(const std::string& file, const onnx_frontend::ImportOptions& options,
                            const Arguments& arguments) {
  auto graph = onnx_frontend::import_file(file, options);
  if (graph.ok() || graph.error().code != onnx_frontend::kBadInput) return graph;
  return std::move(graph).error().with(
      fmt::format("option --input_shape={}", arguments.get("--input_shape")));
}

}  // namespace

Result<graph::Graph> imported_model(const std::string& file,
                                    const std::map<std::string, Shape>& shapes,
                                    const Arguments& arguments) {
  return import(file, {.input_shapes = shapes}, arguments);
}

Result<graph::Graph> imported_model(const std::string& file, const Arguments& arguments) {
  OPKIT_TRY(const auto shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  return imported_model(file, shapes, arguments);
}

Result<graph::Graph> imported_model(const std::string& file,
                                    const std::map<std::string, Shape>& shapes,
                                    const Arguments& arguments, const InstalledOps& ops,
                                    const std::string& soc) {
  OPKIT_TRY(graph::Graph graph,
            import(file, {.input_shapes = shapes, .keep_unknown = true}, arguments));
  Status taken = compile::take_installed_nodes(graph, ops, soc);
  if (!taken.ok()) return std::move(taken).error().with("model " + file);
  return graph;
}

}  // namespace opkit::cli
