// Writes numbers of uint8 as those of int8 whose zero point lies 128 lower: what a model quantises,
// moves and makes floats of again, and constants. The cube unit multiplies int8 alone.
#include <set>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr double kHalfRange = 128;

QuantizedSteps lowered(QuantizedSteps steps) {
  steps.dtype = DType::kInt8;
  for (double& zero : steps.zero) zero -= kHalfRange;
  return steps;
}

void set_steps(Graph& graph, Node& node, const QuantizedSteps& steps) {
  const std::vector<std::string> operands = add_steps(graph, node.outputs[0], steps);
  node.inputs.resize(3);
  node.inputs[1] = operands[0];
  node.inputs[2] = operands[1];
  node.attributes.erase("output_dtype");
}

// Values of uint8 that depend on each other: from QuantizeLinear, through what only moves, to
// DequantizeLinear.
class Numbers {
 public:
  Numbers(const Graph& graph, const Readers& readers) : graph_(graph), readers_(readers) {}

  // False: something else defines or reads one of them.
  bool collect(const std::string& value) {
    if (!values.insert(value).second) return true;
    if (readers_.is_output(value) || dtype_of(graph_, value) != DType::kUInt8) return false;
    if (!from(readers_.definition(value))) return false;
    for (const size_t n : readers_.of(value)) {
      if (!to(n, value)) return false;
    }
    return true;
  }

  std::set<std::string> values;
  std::set<size_t> ends;  // QuantizeLinear and DequantizeLinear

 private:
  bool is_end(size_t n, const char* op) {
    const bool fits = graph_.nodes[n].op_type == op && steps_of(graph_, graph_.nodes[n]);
    if (fits) ends.insert(n);
    return fits;
  }

  bool from(size_t n) {
    if (n == graph_.nodes.size()) return false;
    return is_end(n, "QuantizeLinear") || moved(n);
  }
  bool to(size_t n, const std::string& value) {
    const Node& node = graph_.nodes[n];
    if (node.inputs[0] == value && is_end(n, "DequantizeLinear")) return true;
    return moved(n);
  }

  bool moved(size_t n) {
    const Node& node = graph_.nodes[n];
    if (!moves_numbers(node)) return false;
    const size_t operands = node.op_type == "Concat" ? node.inputs.size() : 1;
    for (size_t i = 0; i < operands; ++i) {
      if (!collect(node.inputs[i])) return false;
    }
    for (const std::string& output : node.outputs) {
      if (!output.empty() && !collect(output)) return false;
    }
    return true;
  }

  const Graph& graph_;
  const Readers& readers_;
};

void rename(Graph& graph, const std::set<std::string>& values) {
  Redirections redirections;
  std::map<std::string, std::string> names;
  for (const std::string& value : values) {
    names[value] = fresh_name(graph, value + "/int8");
    redirections.add(value, names[value]);
  }
  for (Node& node : graph.nodes) {
    redirections.apply(node);
    for (std::string& output : node.outputs) {
      const auto found = names.find(output);
      if (found != names.end()) output = found->second;
    }
  }
}

bool lower_constant(Graph& graph, Node& node) {
  if (!dequantizes_constant(graph, node)) return false;
  const auto steps = steps_of(graph, node);
  if (!steps || steps->dtype != DType::kUInt8) return false;
  graph::RefTensor tensor = *graph.constant(node.inputs[0]);
  tensor.dtype = DType::kInt8;
  for (double& value : tensor.values) value -= kHalfRange;
  node.inputs[0] = add_constant(graph, node.outputs[0] + "/int8", std::move(tensor));
  set_steps(graph, node, lowered(*steps));
  return true;
}

// Lowers what hangs together with one QuantizeLinear. False: it stays.
bool lower_numbers(Graph& graph, size_t n) {
  if (graph.nodes[n].op_type != "QuantizeLinear" ||
      dtype_of(graph, graph.nodes[n].outputs[0]) != DType::kUInt8)
    return false;
  const Readers readers(graph);
  Numbers numbers(graph, readers);
  if (!numbers.collect(graph.nodes[n].outputs[0])) return false;
  std::map<size_t, QuantizedSteps> steps;
  for (const size_t end : numbers.ends) steps[end] = lowered(*steps_of(graph, graph.nodes[end]));
  for (const auto& [end, of_end] : steps) set_steps(graph, graph.nodes[end], of_end);
  rename(graph, numbers.values);
  return true;
}

}  // namespace

Result<size_t> state_signed(Graph& graph) {
  if (graph.opset < graph::kDefaultOpset) return size_t{0};
  size_t changes = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    changes += lower_constant(graph, graph.nodes[n]) ? 1 : 0;
    changes += lower_numbers(graph, n) ? 1 : 0;
  }
  return changes;
}

}  // namespace opkit::passes
