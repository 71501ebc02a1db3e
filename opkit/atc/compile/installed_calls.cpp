#include "opkit/atc/compile/installed_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "opkit/atc/compile/reference_nodes.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/match/attribute_value.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using PortNames = std::vector<std::vector<std::string>>;
using TensorCounts = std::vector<int64_t>;

// How many tensors of an opaque node each port has, and the column.
constexpr const char* kInputCounts = "opkit:inputs";
constexpr const char* kOutputCounts = "opkit:outputs";
constexpr const char* kColumn = "opkit:column";

TensorCounts counts_of(const PortNames& ports) {
  TensorCounts counts;
  for (const auto& port : ports) counts.push_back(static_cast<int64_t>(port.size()));
  return counts;
}

// Returns a node's names by port.
PortNames dealt(const std::vector<std::string>& names, const TensorCounts& counts) {
  PortNames ports;
  size_t next = 0;
  for (const int64_t count : counts) {
    ports.emplace_back();
    for (int64_t i = 0; i < count; ++i) ports.back().push_back(names.at(next++));
  }
  return ports;
}

}  // namespace

std::string op_type_of(const Node& node) {
  const size_t end = node.op_type.find_last_of(".:");
  return end == std::string::npos ? node.op_type : node.op_type.substr(end + 1);
}

void state_call(const match::Match& call, std::vector<int64_t> output_counts, Node& node) {
  node.attributes[kInputCounts] = counts_of(call.inputs);
  node.attributes[kOutputCounts] = std::move(output_counts);
  node.attributes[kColumn] = static_cast<int64_t>(call.column);
}

std::optional<match::Match> call_of(const Graph& graph, size_t n, const OpContract& contract) {
  const Node& node = graph.nodes[n];
  if (!reference::is_opaque(node.op_type) || op_type_of(node) != contract.op) return std::nullopt;
  match::Match call;
  call.contract = &contract;
  call.nodes = {n};
  call.inputs = dealt(node.inputs, std::get<TensorCounts>(node.attributes.at(kInputCounts)));
  call.outputs = dealt(node.outputs, std::get<TensorCounts>(node.attributes.at(kOutputCounts)));
  call.column = static_cast<size_t>(std::get<int64_t>(node.attributes.at(kColumn)));
  for (const auto& [name, value] : node.attributes) {
    const Attr* attr = contract.attr(name);
    if (attr != nullptr) call.attrs[name] = *match::value_for(attr->type, value);
  }
  return call;
}

Result<SharedPlan> plan_of(InstalledOp& op, const match::Match& match, const Graph& graph,
                           const std::string& soc) {
  CallFacts facts;
  std::deque<Tensor> values;  // hold value-dependent inputs while the plan is made
  for (size_t p = 0; p < match.inputs.size(); ++p) {
    const Port& port = op.contract().inputs[p];
    facts.inputs.emplace_back();
    for (const std::string& name : match.inputs[p]) {
      const graph::ValueInfo& value = graph.values.at(name);
      facts.inputs.back().push_back(
          {{port.name, value.dtype, *value.shape, port.formats[match.column]}, {}});
      if (!port.value_depend) continue;
      if (value.constant == nullptr)
        return Error("OPK-ATC-014",
                     fmt::format("input '{}' of {} is planned with its values, and '{}' is no "
                                 "constant",
                                 port.name, op.contract().op, name),
                     "give the node an initializer there");
      OPKIT_TRY(Tensor tensor, reference::to_tensor(*value.constant));
      values.push_back(std::move(tensor));
      facts.inputs.back().back().value = std::as_const(values.back()).bytes();
    }
  }
  facts.attrs = match.attrs;
  return op.plan(soc, facts);
}

void say_by_reference(Graph& graph, const InstalledOps& ops) {
  const bool some = std::ranges::any_of(
      graph.nodes, [](const Node& node) { return reference::is_opaque(node.op_type); });
  if (!some || graph.opset != graph::kDefaultOpset || !reference::infer(graph).ok()) return;
  std::vector<Node> nodes;
  nodes.swap(graph.nodes);
  for (Node& node : nodes) {
    const InstalledOp* op =
        reference::is_opaque(node.op_type) ? ops.find(op_type_of(node)) : nullptr;
    if (op == nullptr || op->contract().reference.empty()) {
      graph.nodes.push_back(std::move(node));
      continue;
    }
    graph.nodes.push_back(node);  // its names are taken while others are made
    const match::Match call = *call_of(graph, graph.nodes.size() - 1, op->contract());
    const size_t at = graph.nodes.size() - 1;
    const Status said = add_reference_nodes({op->contract(), passes::result_of(node), call.attrs,
                                             call.inputs, call.outputs, call.column},
                                            graph);
    if (said.ok()) graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace opkit::compile
