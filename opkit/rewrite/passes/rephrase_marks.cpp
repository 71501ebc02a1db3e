// Writes a OneHot that gives int64, as PyTorch exports it, as one that gives int32 and a Cast: its
// two numbers are small constants.
#include <algorithm>
#include <limits>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {

Parts rephrase_marks(graph::Graph& graph, size_t n) {
  const graph::Node& node = graph.nodes[n];
  if (node.op_type != "OneHot" || node.inputs.size() != 3) return {};
  const graph::RefTensor* marks = graph.constant(node.inputs[2]);
  if (marks == nullptr || marks->dtype != DType::kInt64) return {};
  if (std::any_of(marks->values.begin(), marks->values.end(), [](double value) {
        return value < std::numeric_limits<int32_t>::min() ||
               value > std::numeric_limits<int32_t>::max();
      }))
    return {};
  graph::RefTensor narrow = *marks;
  narrow.dtype = DType::kInt32;
  const std::string name = node.outputs[0];
  const std::string values = add_constant(graph, name + "/marks", std::move(narrow));
  const std::string words = fresh_name(graph, name + "/words");
  graph.nodes[n].inputs[2] = values;
  graph.nodes[n].outputs[0] = words;
  graph.nodes.push_back({"Cast", {words}, {name}, {{"to", std::string("int64")}}});
  return std::vector{words, name};
}

}  // namespace opkit::passes
