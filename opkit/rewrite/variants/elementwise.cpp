#include "opkit/rewrite/variants/elementwise.h"

#include <algorithm>
#include <set>

#include "opkit/graph/text.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;

bool is_elementwise(const Node& node) {
  static const std::set<std::string> kOps = {
      "Abs",  "Add",      "Cast",     "Ceil",        "Clip",      "Div",        "Elu",  "Erf",
      "Exp",  "Floor",    "Gelu",     "HardSigmoid", "HardSwish", "LeakyRelu",  "Log",  "Max",
      "Min",  "Mish",     "Mul",      "Neg",         "Pow",       "Reciprocal", "Relu", "Sigmoid",
      "Sign", "Softplus", "Softsign", "Sqrt",        "Sub",       "Tanh"};
  return node.outputs.size() == 1 && kOps.count(node.op_type) > 0;
}

bool moves_elements(const Node& node) {
  static const std::set<std::string> kOps = {"DepthToSpace", "Expand",    "Reshape", "Slice",
                                             "SpaceToDepth", "Transpose", "Tile"};
  return node.outputs.size() == 1 && kOps.count(node.op_type) > 0;
}

std::vector<std::string> variables_of(const Graph& graph, const Node& node) {
  std::vector<std::string> names;
  for (const std::string& input : node.inputs) {
    const bool known = std::find(names.begin(), names.end(), input) != names.end();
    if (!input.empty() && graph.constant(input) == nullptr && !known) names.push_back(input);
  }
  return names;
}

bool keeps_dims(const Graph& graph, const Node& node) {
  const Shape* result = passes::filled_shape_of(graph, node.outputs[0]);
  if (result == nullptr) return false;
  for (const std::string& input : node.inputs) {
    if (input.empty()) continue;
    const Shape* shape = passes::shape_of(graph, input);
    const bool constant = graph.constant(input) != nullptr;
    if (shape == nullptr || (!constant && !(*shape == *result))) return false;
  }
  return !variables_of(graph, node).empty();
}

bool alike(const Node& one, const Node& other) {
  const auto text = [](const Node& node) {
    Graph alone;
    alone.nodes.push_back({node.op_type, {}, {"o"}, node.attributes});
    return to_text(alone);
  };
  return one.op_type == other.op_type && text(one) == text(other);
}

}  // namespace opkit::variants
