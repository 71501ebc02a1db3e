#include "opkit/atc/compile/declared_outputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

using graph::Graph;

bool differ(const Shape& declared, const Shape& given) {
  if (declared.rank() != given.rank()) return true;
  for (size_t d = 0; d < given.rank(); ++d) {
    if (declared[d] >= 0 && given[d] >= 0 && declared[d] != given[d]) return true;
  }
  return false;
}

// Puts the node that gives the output into the trail.
Error at_node(Error error, const Graph& graph, const std::string& output) {
  for (const graph::Node& node : graph.nodes) {
    if (std::count(node.outputs.begin(), node.outputs.end(), output) > 0)
      return std::move(error).with(fmt::format("node {} ({})", graph::name_of(node), node.op_type));
  }
  return error;
}

Error other_type(const std::string& output, DType declared, DType given) {
  return Error("OPK-ATC-005",
               fmt::format("the model declares output '{}' as {}, and its nodes give {}", output,
                           name_of(declared), name_of(given)),
               fmt::format("correct the type of '{}' in graph.output, or add a Cast in front of it",
                           output));
}

Error other_dims(const std::string& output, const Shape& declared, const Shape& given) {
  Error error("OPK-ATC-006",
              fmt::format("the model declares output '{}' as {}, and its nodes give {}, which the "
                          "offline model has",
                          output, declared.to_string(), given.to_string()),
              fmt::format("correct the dims of '{}' in graph.output", output));
  error.severity = Severity::kWarning;
  return error;
}

}  // namespace

Result<Errors> check_declared_outputs(const Graph& graph) {
  Errors warnings;
  for (const auto& [output, declared] : graph.declared) {
    const auto found = graph.values.find(output);
    if (found == graph.values.end()) continue;
    const graph::ValueInfo& given = found->second;
    const bool types = declared.dtype != DType::kUndefined && given.dtype != DType::kUndefined;
    if (types && declared.dtype != given.dtype)
      return at_node(other_type(output, declared.dtype, given.dtype), graph, output);
    if (declared.shape && given.shape && differ(*declared.shape, *given.shape))
      warnings.push_back(at_node(other_dims(output, *declared.shape, *given.shape), graph, output));
  }
  return warnings;
}

}  // namespace opkit::compile
