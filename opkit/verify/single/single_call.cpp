#include "opkit/verify/single/single_call.h"

#include <algorithm>

#include "opkit/contract/lower.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::verify {
namespace {

using graph::Graph;
using graph::Node;
using Values = std::map<std::string, Tensor>;

// Returns the node alone: its operands are inputs or, where the whole graph knows their values,
// constants.
Graph alone(const Graph& graph, const Node& node, const Values& values) {
  Graph one;
  one.name = graph.name;
  one.opset = graph.opset;
  for (const std::string& name : node.inputs) {
    if (name.empty() || one.values.count(name) > 0) continue;
    const Tensor& tensor = values.at(name);
    const graph::RefTensor* constant = graph.constant(name);
    if (constant != nullptr && constant->shape == tensor.shape()) {
      one.add_constant(name, *constant);
    } else {
      one.add_input(name, tensor.dtype(), tensor.shape());
    }
  }
  for (const std::string& name : node.outputs) {
    if (!name.empty()) one.outputs.push_back(name);
  }
  one.nodes = {node};
  return one;
}

bool is_dense(const OpContract& contract, size_t column) {
  const auto dense = [&](const Port& port) { return port.formats[column] == Format::kND; };
  return std::all_of(contract.inputs.begin(), contract.inputs.end(), dense) &&
         std::all_of(contract.outputs.begin(), contract.outputs.end(), dense);
}

// Returns the tensor of an operand; constants that the canonical form brought are of the graph
// alone.
std::optional<Tensor> tensor_of(const Graph& one, const std::string& name, const Values& values) {
  const graph::RefTensor* constant = one.constant(name);
  if (constant == nullptr) return values.at(name);
  auto tensor = reference::to_tensor(*constant);
  if (!tensor.ok()) return std::nullopt;
  return std::move(tensor).value();
}

std::optional<Ports> inputs_of(const match::Match& match, const Graph& one, const Values& values) {
  Ports inputs;
  for (size_t p = 0; p < match.inputs.size(); ++p) {
    std::vector<Tensor>& port = inputs.emplace_back();
    for (const std::string& name : match.inputs[p]) {
      std::optional<Tensor> tensor = tensor_of(one, name, values);
      if (!tensor) return std::nullopt;
      tensor->desc().format = Format::kND;
      port.push_back(std::move(*tensor));
    }
    const Port& declared = match.contract->inputs[p];
    for (size_t i = 0; i < port.size(); ++i) port[i].desc().name = tensor_name(declared, i);
  }
  return inputs;
}

std::optional<SingleCall> call_of(const match::Match& match, const Graph& one,
                                  const Values& values) {
  auto inputs = inputs_of(match, one, values);
  auto attrs = match.contract->complete(match.attrs);
  if (!inputs || !attrs.ok()) return std::nullopt;
  SingleCall call;
  call.invocation.contract = match.contract;
  call.invocation.inputs = std::move(*inputs);
  call.invocation.attrs = std::move(attrs).value();
  call.outputs = match.outputs;
  return call;
}

}  // namespace

std::optional<SingleCall> single_call(const OpContract& contract, const Graph& graph,
                                      const Node& node, const Values& values) {
  Graph one = alone(graph, node, values);
  if (!passes::canonicalize(one).ok()) return std::nullopt;
  for (const match::Match& match : match::Matcher(one).find(contract).matches) {
    if (match.nodes.size() != one.nodes.size() || !is_dense(contract, match.column)) continue;
    return call_of(match, one, values);
  }
  return std::nullopt;
}

}  // namespace opkit::verify
