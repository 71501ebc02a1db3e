// Writes numbers of uint8 as those of int8 whose zero point lies 128 lower: what a model quantises,
// moves and makes floats of again, and constants. The cube unit multiplies int8 alone.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

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

  // Adds what hangs together with one value, unless something else defines or reads any of it.
  // Every value is looked at once, whichever it hangs together with.
  void collect(const std::string& first) {
    bool all = true;
    std::vector<std::string> own;
    std::set<size_t> own_ends;
    std::vector<std::string> open = {first};
    while (!open.empty()) {
      const std::string value = std::move(open.back());
      open.pop_back();
      if (!seen_.insert(value).second) continue;
      all = follow(value, open, own_ends) && all;
      own.push_back(value);
    }
    if (!all) return;
    values.insert(values.end(), own.begin(), own.end());
    ends.insert(own_ends.begin(), own_ends.end());
  }

  std::vector<std::string> values;
  std::set<size_t> ends;  // QuantizeLinear and DequantizeLinear

 private:
  // Opens all that hangs together with the value, also where something else has to do with it:
  // then it returns false.
  bool follow(const std::string& value, std::vector<std::string>& open, std::set<size_t>& own) {
    const size_t from = readers_.definition(value);
    const bool defined = from < graph_.nodes.size();
    bool all = defined && !readers_.is_output(value) && dtype_of(graph_, value) == DType::kUInt8;
    if (defined && !is_end(from, "QuantizeLinear", own)) all = moved(from, open) && all;
    for (const size_t n : readers_.of(value)) {
      const bool made_real =
          graph_.nodes[n].inputs[0] == value && is_end(n, "DequantizeLinear", own);
      if (!made_real) all = moved(n, open) && all;
    }
    return all;
  }

  bool is_end(size_t n, const char* op, std::set<size_t>& own) const {
    const bool fits = graph_.nodes[n].op_type == op && steps_of(graph_, graph_.nodes[n]);
    if (fits) own.insert(n);
    return fits;
  }

  bool moved(size_t n, std::vector<std::string>& open) const {
    const Node& node = graph_.nodes[n];
    if (!moves_numbers(node)) return false;
    const size_t operands = node.op_type == "Concat" ? node.inputs.size() : 1;
    open.insert(open.end(), node.inputs.begin(),
                node.inputs.begin() + static_cast<std::ptrdiff_t>(operands));
    for (const std::string& output : node.outputs) {
      if (!output.empty()) open.push_back(output);
    }
    return true;
  }

  const Graph& graph_;
  const Readers& readers_;
  std::set<std::string> seen_;
};

void rename(Graph& graph, const std::vector<std::string>& values) {
  std::map<std::string, std::string> names;
  for (const std::string& value : values) names[value] = fresh_name(graph, value + "/int8");
  const auto renamed = [&](std::string& name) {
    const auto found = names.find(name);
    if (found != names.end()) name = found->second;
  };
  for (Node& node : graph.nodes) {
    std::for_each(node.inputs.begin(), node.inputs.end(), renamed);
    std::for_each(node.outputs.begin(), node.outputs.end(), renamed);
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

// Lowers what hangs together with a QuantizeLinear. Returns how many of these there were.
size_t lower_numbers(Graph& graph) {
  const Readers readers(graph);
  Numbers numbers(graph, readers);
  for (const Node& node : graph.nodes) {
    const bool quantizes = node.op_type == "QuantizeLinear";
    if (quantizes && dtype_of(graph, node.outputs[0]) == DType::kUInt8)
      numbers.collect(node.outputs[0]);
  }
  std::map<size_t, QuantizedSteps> steps;
  for (const size_t end : numbers.ends) steps[end] = lowered(*steps_of(graph, graph.nodes[end]));
  size_t changes = 0;
  for (const auto& [end, of_end] : steps) {
    changes += graph.nodes[end].op_type == "QuantizeLinear" ? 1 : 0;
    set_steps(graph, graph.nodes[end], of_end);
  }
  if (changes > 0) rename(graph, numbers.values);
  return changes;
}

}  // namespace

Result<size_t> state_signed(Graph& graph) {
  if (graph.opset < graph::kDefaultOpset || !is_quantized(graph)) return size_t{0};
  size_t changes = 0;
  for (Node& node : graph.nodes) changes += lower_constant(graph, node) ? 1 : 0;
  return changes + lower_numbers(graph);
}

}  // namespace opkit::passes
