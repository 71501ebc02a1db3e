#include "opkit/atc/compile/lift_heads.h"

#include <algorithm>

#include "opkit/atc/compile/written_form.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/attention.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/whole_operators.h"

namespace opkit::compile {
namespace {

using graph::Graph;

bool has_softmax(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const graph::Node& node) { return node.op_type == "Softmax"; });
}

bool attends(const OpContract& contract) {
  const auto count = [&](const char* op) {
    return std::count_if(contract.reference.begin(), contract.reference.end(),
                         [&](const ReferenceNode& node) { return node.op == op; });
  };
  return count("MatMul") > 1 && count("Softmax") > 0;
}

// Tells whether an op takes a Softmax together with the products around it.
bool takes_attention(const InstalledOps& ops, const Graph& graph, const Graph& composed) {
  const match::Matcher matcher(graph);
  const WrittenForm form(composed, matcher);
  return std::any_of(ops.all().begin(), ops.all().end(), [&](const auto& op) {
    return attends(op->contract()) && !form.find(op->contract()).matches.empty();
  });
}

}  // namespace

Result<bool> lift_heads(Graph& graph, const InstalledOps& ops,
                        std::map<std::string, size_t>& changes) {
  if (!has_softmax(graph)) return false;
  Graph lifted = graph;
  const size_t places = passes::lift_attentions(lifted);
  if (places == 0) return false;
  OPKIT_CHECK(graph::sort_nodes(lifted));
  OPKIT_TRY([[maybe_unused]] const size_t dead, passes::remove_dead_code(lifted));
  OPKIT_CHECK(reference::infer(lifted));
  OPKIT_TRY(const Graph composed, passes::whole_operators(lifted));
  if (composed.nodes.empty() || !takes_attention(ops, lifted, composed)) return false;
  graph = std::move(lifted);
  changes["lift_attentions"] += places;
  return true;
}

}  // namespace opkit::compile
