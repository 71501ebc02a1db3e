// Moves a DequantizeLinear behind, and a QuantizeLinear in front of what only moves numbers, which
// then moves whole ones, and drops a QuantizeLinear that makes the numbers again that a
// DequantizeLinear has read.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

const Node* dequantizer(const Graph& graph, const Readers& readers, const std::string& value) {
  const size_t n = readers.definition(value);
  const bool is_one = n < graph.nodes.size() && graph.nodes[n].op_type == "DequantizeLinear";
  return is_one ? &graph.nodes[n] : nullptr;
}

// The largest whole number is that of the largest real one where the scale is positive alone.
bool keeps_order(const Node& mover, const QuantizedSteps& steps) {
  return mover.op_type != "MaxPool" ||
         std::all_of(steps.scale.begin(), steps.scale.end(), [](double s) { return s > 0; });
}

// Returns the steps behind a node that moves numbers with such steps; nothing: their axis does not
// move with them.
std::optional<QuantizedSteps> steps_behind(const Node& node, QuantizedSteps steps) {
  if (!keeps_order(node, steps)) return std::nullopt;
  if (steps.is_one()) return steps;
  const auto perm = node.attributes.find("perm");
  if (node.op_type != "Transpose" || perm == node.attributes.end()) return std::nullopt;
  const auto* dims = std::get_if<std::vector<int64_t>>(&perm->second);
  if (dims == nullptr) return std::nullopt;
  const auto found = std::find(dims->begin(), dims->end(), steps.axis);
  if (found == dims->end()) return std::nullopt;
  steps.axis = found - dims->begin();
  return steps;
}

// Returns all operands of whole numbers, with the steps that they share.
std::optional<QuantizedSteps> steps_in_front(const Graph& graph, const Readers& readers,
                                             const Node& node) {
  std::optional<QuantizedSteps> steps;
  const size_t operands = node.op_type == "Concat" ? node.inputs.size() : 1;
  for (size_t i = 0; i < operands; ++i) {
    const Node* from = dequantizer(graph, readers, node.inputs[i]);
    const auto own = from != nullptr ? steps_of(graph, *from) : std::nullopt;
    const bool wide = own && own->dtype != DType::kInt8 && own->dtype != DType::kUInt8;
    if (!own || wide || (steps && !(*steps == *own))) return std::nullopt;
    steps = own;
  }
  return steps;
}

// What the node defined is computed from its whole numbers by a DequantizeLinear of its own.
void move_behind(Graph& graph, size_t n, const Readers& readers, const QuantizedSteps& steps) {
  const size_t operands = graph.nodes[n].op_type == "Concat" ? graph.nodes[n].inputs.size() : 1;
  for (size_t i = 0; i < operands; ++i)
    graph.nodes[n].inputs[i] = dequantizer(graph, readers, graph.nodes[n].inputs[i])->inputs[0];
  std::vector<Node> more;
  for (std::string& output : graph.nodes[n].outputs) {
    if (output.empty()) continue;
    const std::string real = output;
    output = fresh_name(graph, real + "/int8");
    // Known at once, so that the next node behind can follow in the same round.
    graph.values[output] = {steps.dtype, graph.values[real].shape, Format::kND, nullptr};
    std::vector<std::string> inputs = add_steps(graph, real, steps);
    inputs.insert(inputs.begin(), output);
    Node made{"DequantizeLinear", std::move(inputs), {real}, {}};
    if (!steps.is_one()) made.attributes["axis"] = steps.axis;
    more.push_back(std::move(made));
  }
  graph.nodes.insert(graph.nodes.end(), more.begin(), more.end());
}

size_t move_all(Graph& graph) {
  size_t changes = 0;
  const size_t count = graph.nodes.size();
  std::optional<Readers> readers;
  for (size_t n = 0; n < count; ++n) {
    if (!moves_numbers(graph.nodes[n]) || graph.nodes[n].inputs.empty()) continue;
    if (!readers) readers.emplace(graph);
    const auto steps = steps_in_front(graph, *readers, graph.nodes[n]);
    const auto moved = steps ? steps_behind(graph.nodes[n], *steps) : std::nullopt;
    if (!moved) continue;
    move_behind(graph, n, *readers, *moved);
    readers.reset();
    ++changes;
  }
  return changes;
}

// The node that alone gives a QuantizeLinear its operand, and only moves numbers: they may be whole
// before.
bool quantizes_moved(const Graph& graph, const Readers& readers, const Node& node) {
  if (node.op_type != "QuantizeLinear") return false;
  const std::string& value = node.inputs[0];
  const size_t from = readers.definition(value);
  if (from == graph.nodes.size() || readers.is_output(value) || readers.of(value).size() != 1)
    return false;
  const Node& mover = graph.nodes[from];
  const auto steps = steps_of(graph, node);
  return moves_numbers(mover) && mover.outputs.size() == 1 && steps && steps->is_one() &&
         keeps_order(mover, *steps);
}

void quantize_before(Graph& graph, size_t quantizer, size_t mover) {
  const Node quantize = graph.nodes[quantizer];
  const Node move = graph.nodes[mover];
  const size_t operands = move.op_type == "Concat" ? move.inputs.size() : 1;
  std::map<std::string, std::string> made;
  for (size_t i = 0; i < operands; ++i) {
    std::string& whole = made[move.inputs[i]];
    if (whole.empty())
      whole = add_node(graph, "QuantizeLinear",
                       {move.inputs[i], quantize.inputs[1], quantize.inputs[2]},
                       move.inputs[i] + "/int8", quantize.attributes);
    graph.nodes[mover].inputs[i] = whole;
  }
  // The quantised result is that of the mover; what it defined before, nobody reads.
  std::swap(graph.nodes[mover].outputs[0], graph.nodes[quantizer].outputs[0]);
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(quantizer));
}

size_t quantize_sooner(Graph& graph) {
  size_t changes = 0;
  std::optional<Readers> readers;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].op_type != "QuantizeLinear" || graph.nodes[n].inputs.size() < 3) continue;
    if (!readers) readers.emplace(graph);
    if (!quantizes_moved(graph, *readers, graph.nodes[n])) continue;
    quantize_before(graph, n, readers->definition(graph.nodes[n].inputs[0]));
    readers.reset();
    --n;
    ++changes;
  }
  return changes;
}

size_t drop_pairs(Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  const Readers readers(graph);
  Redirections redirections;
  for (Node& node : graph.nodes) {
    redirections.apply(node);
    const Node* from =
        node.op_type == "QuantizeLinear" ? dequantizer(graph, readers, node.inputs[0]) : nullptr;
    if (from == nullptr) continue;
    const auto steps = steps_of(graph, node), before = steps_of(graph, *from);
    const std::string& result = node.outputs[0];
    if (!steps || !before || !(*steps == *before)) continue;
    if (uses.readers(result) == (uses.is_output(result) ? 1u : 0u)) continue;
    redirections.add(result, from->inputs[0]);
    ++changes;
  }
  return changes;
}

}  // namespace

Result<size_t> move_quantized(Graph& graph) {
  if (graph.opset < graph::kDefaultOpset) return size_t{0};
  if (!is_quantized(graph)) return size_t{0};
  // The first one walks over nodes in their order, which the others do not leave as it is.
  size_t changes = drop_pairs(graph);
  changes += quantize_sooner(graph);
  return changes + move_all(graph);
}

}  // namespace opkit::passes
