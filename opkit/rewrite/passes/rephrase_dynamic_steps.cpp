// Writes DynamicQuantizeLinear, as transformers of eight bits have it, as what it computes: the
// bounds of x with 0 between them, 255 steps from one to the other.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/new_nodes.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

constexpr double kSmallestNormal = 0x1p-126;  // no step of zeros is divided by

class DynamicSteps {
 public:
  DynamicSteps(graph::Graph& graph, graph::Node node)
      : node_(std::move(node)), nodes_(graph, node_.outputs[0]) {}

  Parts write(size_t rank) {
    Integers axes;
    for (size_t d = 0; d < rank; ++d) axes.push_back(static_cast<int64_t>(d));
    const std::string x = node_.inputs[0], zero = number("zero", 0);
    const std::string low = nodes_.add("Min", {bound("ReduceMin", axes), zero}, "low"),
                      high = nodes_.add("Max", {bound("ReduceMax", axes), zero}, "high");
    const std::string range = nodes_.add("Sub", {high, low}, "range");
    const std::string step = result(1, "Div", {range, number("steps", 255)}, "step");
    const std::string safe = nodes_.add("Max", {step, number("least", kSmallestNormal)}, "safe");
    const std::string below = nodes_.add("Neg", {low}, "below");
    const std::string point =
        cut(nodes_.add("Div", {below, safe}, "at"), "point");  // 0 to 255: whole behind Round
    const std::string whole = nodes_.add("Round", {point}, "whole");
    result(2, "Cast", {whole}, "zero_point", {{"to", std::string("uint8")}});
    const std::string places =
        nodes_.add("Round", {nodes_.add("Div", {x, safe}, "scaled")}, "places");
    const std::string moved = nodes_.add("Add", {places, whole}, "moved");
    result(0, "Cast", {cut(moved, "kept")}, "y", {{"to", std::string("uint8")}});
    return nodes_.parts();
  }

 private:
  std::string number(const std::string& what, double value) {
    return nodes_.add_constant(what, {DType::kFloat32, Shape{}, {value}});
  }
  std::string bound(const std::string& op, const Integers& axes) {
    return nodes_.add(op, {node_.inputs[0]}, op, {{"axes", axes}, {"keepdims", int64_t{0}}});
  }
  std::string cut(const std::string& from, const std::string& what) {
    return nodes_.add("Clip", {from, number("none", 0), number("most", 255)}, what);
  }
  // Defines result i of the node, or a value when the node has none there.
  std::string result(size_t i, const std::string& op, std::vector<std::string> inputs,
                     const std::string& what,
                     std::map<std::string, graph::Attribute> attributes = {}) {
    if (i >= node_.outputs.size() || node_.outputs[i].empty())
      return nodes_.add(op, std::move(inputs), what, std::move(attributes));
    nodes_.define(node_.outputs[i], op, std::move(inputs), std::move(attributes));
    return node_.outputs[i];
  }

  const graph::Node node_;
  NewNodes nodes_;
};

}  // namespace

Parts rephrase_dynamic_steps(graph::Graph& graph, size_t n) {
  const graph::Node node = graph.nodes[n];
  if (node.op_type != "DynamicQuantizeLinear" || node.outputs[0].empty()) return {};
  const Shape* x = filled_shape_of(graph, node.inputs[0]);
  if (x == nullptr || x->rank() == 0) return {};
  // The node goes: its results are defined anew.
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n));
  return DynamicSteps(graph, node).write(x->rank());
}

}  // namespace opkit::passes
