#include "opkit/rewrite/passes/quantized_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/quantized_nodes.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;

namespace {

const std::vector<std::string> kRelu = {"Relu"};
constexpr std::string_view kHalf = "/float16";  // is half_tail_of's name for it

// Returns a term of a sum in steps of the result.
std::string scaled(WholeNodes& nodes, const Whole& term, const Tail& tail,
                   const std::string& what) {
  const std::string wide = nodes.floats(term.value, "wide_" + what);
  return nodes.add("Mul", {wide, nodes.number("scale_" + what, term.scale / tail.scale)},
                   "scaled_" + what);
}

double shift_of(const Whole& term, const Tail& tail) {
  return -term.zero * (term.scale / tail.scale);
}

void finish_terms(WholeNodes& nodes, std::string sum, double shift, const Tail& tail) {
  sum = nodes.add("Add", {sum, nodes.number("shift", shift)}, "centred");
  if (!tail.activation.empty()) sum = nodes.add(tail.activation, {sum}, "bent");
  nodes.finish(sum, tail);
}

using Lower = std::optional<Lowered> (*)(const QuantizedModel&, const Node&, Graph&);
constexpr Lower kLowerings[] = {lower_conv, lower_product, lower_sum, lower_rescaling};

// Says why a node that reads floats of whole numbers is none of those that can do without.
void note(const QuantizedModel& model, const Node& node, QuantizedForm& form) {
  for (const std::string& input : node.inputs) {
    if (input.empty() || !whole_of(model, input)) continue;
    form.reasons.emplace(result_of(node), fmt::format("no int8 kernel computes {}", node.op_type));
    return;
  }
}

void lower(const QuantizedModel& model, const Node& node, QuantizedForm& form) {
  for (const Lower one : kLowerings) {
    const auto lowered = one(model, node, form.graph);
    if (!lowered) continue;
    if (!lowered->done) form.reasons.emplace(result_of(node), lowered->why);
    return;
  }
  note(model, node, form);
}

// Inputs are what nothing of the form defines. Outputs are what the model knows and no node of the
// form reads, and the float16 of what the model knows.
Status close(const Graph& model, Graph& form) {
  std::set<std::string> defined, inputs, read;
  for (const Node& node : form.nodes) defined.insert(node.outputs.begin(), node.outputs.end());
  for (const Node& node : form.nodes) {
    read.insert(node.inputs.begin(), node.inputs.end());
    for (const std::string& input : node.inputs) {
      if (defined.count(input) == 0 && form.constant(input) == nullptr) inputs.insert(input);
    }
  }
  for (const std::string& name : inputs) {
    const graph::ValueInfo& value = model.values.at(name);
    if (!value.shape) continue;
    form.add_input(name, value.dtype, *value.shape);
  }
  for (const std::string& name : defined) {
    const size_t stem = name.size() - std::min(name.size(), kHalf.size());
    const bool is_half = name.ends_with(kHalf) && model.values.count(name.substr(0, stem)) > 0;
    const bool is_last = model.values.count(name) > 0 && read.count(name) == 0;
    if (is_half || is_last) form.outputs.push_back(name);
  }
  OPKIT_CHECK(graph::sort_nodes(form));
  return reference::infer(form);
}

}  // namespace

std::optional<Lowered> lower_sum(const QuantizedModel& model, const Node& node, Graph& form) {
  if (node.op_type != "Add") return std::nullopt;
  const auto a = whole_of(model, node.inputs[0]), b = whole_of(model, node.inputs[1]);
  if (!a && !b) return std::nullopt;
  if (!a || !b)
    return Lowered{false, fmt::format("its operand '{}' is no int8 behind a DequantizeLinear",
                                      node.inputs[a ? 1 : 0])};
  std::string why;
  const auto tail = tail_of(model, node.outputs[0], kRelu, why);
  if (!tail) return Lowered{false, why};
  WholeNodes nodes(model, form, tail->result);
  const std::string left = scaled(nodes, *a, *tail, "a"), right = scaled(nodes, *b, *tail, "b");
  finish_terms(nodes, nodes.add("Add", {left, right}, "sum"),
               shift_of(*a, *tail) + shift_of(*b, *tail), *tail);
  return Lowered{true, ""};
}

std::optional<Lowered> lower_rescaling(const QuantizedModel& model, const Node& node, Graph& form) {
  const bool relu = node.op_type == "Relu";
  if (!relu && node.op_type != "QuantizeLinear") return std::nullopt;
  const auto x = whole_of(model, node.inputs[0]);
  if (!x) return std::nullopt;
  std::string why;
  const auto tail = tail_of(model, node.inputs[0], kRelu, why);
  if (!tail) return Lowered{false, why};
  WholeNodes nodes(model, form, tail->result);
  finish_terms(nodes, scaled(nodes, *x, *tail, "x"), shift_of(*x, *tail), *tail);
  return Lowered{true, ""};
}

Result<QuantizedForm> quantized_form(const Graph& graph) {
  QuantizedForm form;
  form.graph.name = graph.name;
  form.graph.opset = graph.opset;
  if (graph.opset != graph::kDefaultOpset) return form;
  const QuantizedModel model(graph);
  for (const Node& node : graph.nodes) lower(model, node, form);
  if (!form.graph.nodes.empty()) OPKIT_CHECK(close(graph, form.graph));
  return form;
}

}  // namespace opkit::passes
