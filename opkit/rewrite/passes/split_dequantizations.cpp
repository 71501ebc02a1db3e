// Gives every node that int8 kernels may take a DequantizeLinear of its own: a kernel that takes
// the node takes that one, too, while others still need floats.
#include <set>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool may_be_quantized(const Node& node) {
  static const std::set<std::string> kOps = {
      "Conv",       "MatMul", "Gemm", "Add", "Relu", "QuantizeLinear", "GlobalAveragePool",
      "AveragePool"};
  return kOps.count(node.op_type) > 0;
}

// Returns the readers that get a copy.
std::vector<size_t> to_be_split(const Graph& graph, const Readers& readers,
                                const std::string& value) {
  std::vector<size_t> split;
  bool others = readers.is_output(value);
  for (const size_t n : readers.of(value)) {
    if (may_be_quantized(graph.nodes[n])) {
      split.push_back(n);
    } else {
      others = true;
    }
  }
  if (!others && !split.empty()) split.erase(split.begin());
  return split;
}

}  // namespace

Result<size_t> split_dequantizations(Graph& graph) {
  size_t changes = 0;
  std::optional<Readers> readers;
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op_type != "DequantizeLinear" || dequantizes_constant(graph, graph.nodes[n]))
      continue;
    if (!readers) readers.emplace(graph);
    const std::string value = graph.nodes[n].outputs[0];
    for (const size_t reader : to_be_split(graph, *readers, value)) {
      Node copy = graph.nodes[n];
      copy.outputs[0] = fresh_name(graph, value + "/copy");
      for (std::string& input : graph.nodes[reader].inputs) {
        if (input == value) input = copy.outputs[0];
      }
      graph.nodes.push_back(std::move(copy));
      ++changes;
    }
  }
  return changes;
}

}  // namespace opkit::passes
