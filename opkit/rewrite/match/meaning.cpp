#include "opkit/rewrite/match/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/contract/lower.h"
#include "opkit/rewrite/match/expressions.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::match {
namespace {

using graph::Graph;
using graph::ValueInfo;
// Maps the leaves of a graph to names of the model's values.
using Leaves = std::map<std::string, std::string>;

Refusal differs(std::string reason) { return {Guard::kMeaning, std::move(reason)}; }

std::set<std::string> all_of(const std::vector<std::vector<std::string>>& ports) {
  std::set<std::string> names;
  for (const auto& port : ports) names.insert(port.begin(), port.end());
  return names;
}

// Returns the matched nodes as a graph of their own, whose inputs are what the op reads, even what
// the model knows as constants.
Graph alone(const Graph& model, const Match& match, Leaves& leaves) {
  Graph graph;
  graph.opset = model.opset;
  for (const std::string& name : all_of(match.inputs)) {
    const ValueInfo& value = model.values.at(name);
    graph.add_input(name, value.dtype, *value.shape);
    leaves[name] = name;
  }
  for (const size_t n : match.nodes) {
    graph.nodes.push_back(model.nodes[n]);
    for (const std::string& name : model.nodes[n].inputs) {
      if (!name.empty() && model.constant(name) && leaves.count(name) == 0)
        graph.values[name] = model.values.at(name);
    }
  }
  for (const std::string& name : all_of(match.outputs)) graph.outputs.push_back(name);
  return graph;
}

ReferenceCall call_of(const Graph& model, const Match& match, const Binding& binding) {
  ReferenceCall call{{}, binding.attrs, binding.scope, binding.column, match.spelling};
  for (const auto& port : match.inputs) {
    call.inputs.emplace_back();
    for (const std::string& name : port) call.inputs.back().push_back(model.values.at(name));
  }
  return call;
}

Leaves leaves_of(const Match& match) {
  Leaves leaves;
  for (size_t p = 0; p < match.inputs.size(); ++p) {
    for (size_t i = 0; i < match.inputs[p].size(); ++i)
      leaves[tensor_name(match.contract->inputs[p], i)] = match.inputs[p][i];
  }
  return leaves;
}

// Where two computations part: the first operator, from the result backwards, that is not the same.
std::string difference(const Expressions& all, size_t op, size_t graph) {
  while (all.text(op) == all.text(graph)) {
    const auto &a = all.operands(op), &b = all.operands(graph);
    if (a.size() != b.size()) return fmt::format("{} has other operands", all.text(op));
    const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin());
    if (first == a.end()) return "the graph uses another result";
    op = *first, graph = *second;
  }
  return fmt::format("the graph has {}, the op {}", all.text(graph), all.text(op));
}

std::string facts(const ValueInfo& value) {
  return fmt::format("{}{}", name_of(value.dtype),
                     value.shape ? value.shape->to_string() : "[...]");
}

std::optional<Refusal> compare(const Match& match, const LoweredReference& lowered,
                               const Graph& reference, const Graph& nodes, const Graph& model,
                               const Leaves& of_nodes) {
  Expressions expressions;
  const Leaves of_reference = leaves_of(match);
  for (size_t p = 0; p < match.outputs.size(); ++p) {
    if (match.outputs[p].size() != lowered.outputs[p].size())
      return differs(fmt::format("output {} would be {} tensors", match.contract->outputs[p].name,
                                 lowered.outputs[p].size()));
    for (size_t i = 0; i < match.outputs[p].size(); ++i) {
      const std::string &ours = lowered.outputs[p][i], &theirs = match.outputs[p][i];
      if (theirs.empty()) continue;
      const size_t op = expressions.of(reference, of_reference, ours);
      const size_t graph = expressions.of(nodes, of_nodes, theirs);
      if (op != graph) return differs(difference(expressions, op, graph));
      const ValueInfo &a = lowered.graph.values.at(ours), &b = model.values.at(theirs);
      if (a.dtype != b.dtype || a.shape != b.shape)
        return differs(fmt::format("'{}' is {}, the op gives {}", theirs, facts(b), facts(a)));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_meaning(const GraphIndex& index, const Match& match,
                                     const Binding& binding) {
  const Graph& model = index.graph();
  auto lowered = lower_reference(*match.contract, call_of(model, match, binding));
  if (!lowered.ok()) return differs(lowered.error().message);
  Graph reference = lowered->graph;
  Leaves leaves;
  Graph nodes = alone(model, match, leaves);
  if (reference.opset != nodes.opset)
    return differs(
        fmt::format("the model has opset {}, references have {}", nodes.opset, reference.opset));
  const auto canonical = passes::canonicalize(reference);
  if (!canonical.ok()) return differs(canonical.error().message);
  const auto same = passes::canonicalize(nodes);
  if (!same.ok()) return differs(same.error().message);
  return compare(match, *lowered, reference, nodes, model, leaves);
}

}  // namespace opkit::match
