#include "opkit/rewrite/passes/whole_operators.h"

#include <algorithm>
#include <set>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/attention.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/halves.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/turned.h"
#include "opkit/rewrite/passes/whole_samples.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// Tells whether the node says what it is already.
bool is_said(const Graph& graph, const Readers& readers, const Composed& made) {
  const size_t n = readers.definition(made.node.outputs[0]);
  return n == graph.nodes.size() || graph.nodes[n].op_type == made.node.op_type;
}

void put(Graph& form, const Readers& readers, const Composed& made) {
  Node node = made.node;
  for (const auto& [name, tensor] : made.constants) {
    const std::string own = add_constant(form, name, tensor);
    std::replace(node.inputs.begin(), node.inputs.end(), name, own);
  }
  form.nodes[readers.definition(made.node.outputs[0])] = std::move(node);
}

// Lists, in order, every value from which something else may be inferred.
std::vector<std::string> values_of(const Graph& graph) {
  std::vector<std::string> all = graph.inputs;
  for (const Node& node : graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (!output.empty()) all.push_back(output);
    }
  }
  return all;
}

size_t compose(const Graph& graph, const Readers& readers, Graph& form) {
  size_t changes = 0;
  std::set<std::string> taken;  // results
  for (const std::string& value : values_of(graph)) {
    for (const auto one : {whole_norm, whole_function}) {
      const auto made = one(graph, readers, value);
      if (!made || is_said(graph, readers, *made)) continue;
      if (!taken.insert(made->node.outputs[0]).second) continue;
      put(form, readers, *made);
      ++changes;
    }
  }
  return changes;
}

// A Gemm of two plain operands, the second one constant where it is turned.
bool split_gemm(Graph& form, size_t n) {
  const Node node = form.nodes[n];
  const bool turns = number_of(node, "transB", 0) != 0;
  const bool plain = number_of(node, "alpha", 1) == 1 && number_of(node, "beta", 1) == 1 &&
                     number_of(node, "transA", 0) == 0;
  const RefTensor* weights = form.constant(node.inputs[1]);
  if (!plain || (turns && weights == nullptr)) return false;
  const std::string y = node.outputs[0];
  std::string b = node.inputs[1];
  if (turns) b = add_constant(form, b + "/turned", turned(*weights));
  const bool adds = node.inputs.size() > 2 && !node.inputs[2].empty();
  Node product{"MatMul", {node.inputs[0], b}, {adds ? fresh_name(form, y + "/product") : y}, {}};
  if (adds) form.nodes.push_back({"Add", {product.outputs[0], node.inputs[2]}, {y}, {}});
  form.nodes[n] = std::move(product);
  return true;
}

size_t split_gemms(Graph& form) {
  size_t changes = 0;
  const size_t count = form.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (form.nodes[n].op_type == "Gemm") changes += split_gemm(form, n) ? 1 : 0;
  }
  return changes;
}

}  // namespace

Result<Graph> whole_operators(const Graph& graph) {
  Graph form = graph;
  const Readers readers(graph);
  size_t changes = compose(graph, readers, form) + write_attentions(graph, readers, form);
  changes += split_halves(graph, readers, form);
  changes += split_gemms(form);
  if (changes == 0) return Graph();
  OPKIT_CHECK(graph::sort_nodes(form));
  OPKIT_TRY([[maybe_unused]] const size_t dead, remove_dead_code(form));
  OPKIT_CHECK(reference::infer(form));
  return form;
}

}  // namespace opkit::passes
