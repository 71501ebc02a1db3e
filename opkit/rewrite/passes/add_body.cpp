#include "opkit/rewrite/passes/add_body.h"

#include <map>

#include "opkit/graph/bodies.h"
#include "opkit/reference/control.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;

Result<std::optional<Insertion>> Insertion::of(const Graph& graph, const Node& node,
                                               const std::string& attribute) {
  Insertion made;
  for (size_t i = graph::own_inputs(node); i < node.inputs.size(); ++i) {
    // A captured constant is one of the body.
    if (graph.constant(node.inputs[i]) == nullptr) made.captured_.push_back(node.inputs[i]);
  }
  OPKIT_TRY(made.body_,
            reference::bound_body(node, attribute, reference::known_operands(graph, node)));
  OPKIT_CHECK(reference::infer(made.body_));
  if (made.body_.opset != graph.opset) {
    auto raised = raise_version(made.body_);
    if (!raised.ok()) return std::move(raised).error();
  }
  if (made.body_.opset != graph.opset) return std::optional<Insertion>();
  return std::optional(std::move(made));
}

std::vector<std::string> Insertion::add(Graph& graph, const std::vector<std::string>& own,
                                        const std::string& mark) const {
  std::map<std::string, std::string> names = {{"", ""}};
  for (size_t i = 0; i < body_.inputs.size(); ++i)
    names[body_.inputs[i]] = i < own.size() ? own[i] : captured_[i - own.size()];
  for (const auto& [name, value] : body_.values) {
    if (value.constant != nullptr)
      names[name] = add_constant(graph, name, graph::RefTensor(*value.constant));
  }
  for (const Node& node : body_.nodes) {
    Node added = node;
    for (std::string& input : added.inputs) input = names.at(input);
    for (std::string& output : added.outputs) {
      if (!output.empty()) output = names[output] = fresh_name(graph, output);
    }
    if (!added.name.empty()) added.name += mark;
    graph.nodes.push_back(std::move(added));
  }
  std::vector<std::string> outputs;
  for (const std::string& output : body_.outputs) outputs.push_back(names.at(output));
  return outputs;
}

}  // namespace opkit::passes
