#include "opkit/fusion/feasible/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "opkit/base/byte_count.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

Status check_known(const Graph& graph, const std::string& op) {
  for (const Node& node : graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      const auto found = graph.values.find(output);
      const bool known = found != graph.values.end() && found->second.shape &&
                         found->second.shape->is_static() &&
                         byte_count(found->second.dtype, *found->second.shape).has_value();
      if (known) continue;
      return Error("OPK-FEASIBLE-002",
                   fmt::format("the dims of '{}', which {} makes, depend on data", output,
                               node.op_type),
                   "name other nodes, or give the values of the inputs that decide them with --in")
          .of(op);
    }
  }
  return {};
}

// Formats with padding take more than their elements.
Status take_formats(const OpContract& contract, size_t column,
                    const std::vector<std::vector<std::string>>& outputs, Subject& subject) {
  const auto take = [&](const Port& port, const std::string& value) -> Status {
    const auto found = subject.graph.values.find(value);
    if (found == subject.graph.values.end() || !found->second.shape) return {};
    if (is_dense(port.formats[column])) return {};
    OPKIT_TRY(const StorageLayout layout,
              StorageLayout::of(port.formats[column], found->second.dtype, *found->second.shape));
    const auto bytes = byte_count(found->second.dtype, layout.storage());
    if (bytes) subject.stored[value] = *bytes;
    return {};
  };
  for (const Port& port : contract.inputs) OPKIT_CHECK(take(port, tensor_name(port, 0)));
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (const std::string& value : outputs[o]) OPKIT_CHECK(take(contract.outputs[o], value));
  }
  return {};
}

// Refuses a subject when other nodes read what the nodes make, and make what the nodes read.
Status check_one_piece(const Graph& model, const std::vector<size_t>& nodes) {
  const std::set<size_t> ours(nodes.begin(), nodes.end());
  std::set<std::string> behind;  // values that depend on the nodes through others
  std::set<std::string> made;
  for (size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    const bool our = ours.count(n) > 0;
    for (const std::string& input : node.inputs) {
      if (our && behind.count(input) > 0)
        return Error("OPK-FEASIBLE-003",
                     fmt::format("what leaves the nodes comes back to {} by '{}'",
                                 graph::name_of(node), input),
                     "name the nodes between them, too");
    }
    const bool follows = std::any_of(
        node.inputs.begin(), node.inputs.end(),
        [&](const std::string& input) { return made.count(input) + behind.count(input) > 0; });
    for (const std::string& output : node.outputs) {
      if (our) made.insert(output);
      if (!our && follows) behind.insert(output);
    }
  }
  return {};
}

std::vector<std::string> values_that_leave(const Graph& model, const std::vector<size_t>& nodes) {
  std::set<std::string> read(model.outputs.begin(), model.outputs.end());
  for (size_t n = 0; n < model.nodes.size(); ++n) {
    if (std::binary_search(nodes.begin(), nodes.end(), n)) continue;
    read.insert(model.nodes[n].inputs.begin(), model.nodes[n].inputs.end());
  }
  std::vector<std::string> leave;
  for (const size_t n : nodes) {
    for (const std::string& output : model.nodes[n].outputs)
      if (!output.empty() && read.count(output) > 0) leave.push_back(output);
  }
  return leave;
}

void copy_nodes(const Graph& model, const std::vector<size_t>& nodes, Graph& graph) {
  std::set<std::string> made;
  for (const size_t n : nodes) {
    const Node& node = model.nodes[n];
    for (const std::string& input : node.inputs) {
      if (input.empty() || made.count(input) > 0 || graph.values.count(input) > 0) continue;
      graph.values.emplace(input, model.values.at(input));
      if (model.constant(input) == nullptr) graph.inputs.push_back(input);
    }
    for (const std::string& output : node.outputs) {
      made.insert(output);
      if (!output.empty()) graph.values.emplace(output, model.values.at(output));
    }
    graph.nodes.push_back(node);
  }
}

}  // namespace

bool is_view(const Node& node) {
  static const std::set<std::string> kViews = {"Reshape", "Identity", "Flatten", "Squeeze",
                                               "Unsqueeze"};
  return kViews.count(node.op_type) > 0;
}

Result<Subject> subject_of(const OpContract& contract, const ReferenceCall& call) {
  if (contract.reference.empty())
    return contract.error("OPK-FEASIBLE-001", "it has no reference: " + contract.no_reference,
                          "write reference: in the contract; opkit contract explain shows it");
  OPKIT_TRY(LoweredReference lowered, lower_reference(contract, call));
  Subject subject{contract.op, std::move(lowered.graph), false, {}};
  subject.graph.name = contract.op;
  subject.graph.outputs.clear();
  for (const auto& port : lowered.outputs)
    subject.graph.outputs.insert(subject.graph.outputs.end(), port.begin(), port.end());
  OPKIT_CHECK(reference::infer(subject.graph));
  OPKIT_TRY(const auto changes, passes::canonicalize(subject.graph));
  OPKIT_CHECK(check_known(subject.graph, contract.op));
  OPKIT_CHECK(take_formats(contract, call.column, lowered.outputs, subject));
  return subject;
}

Result<Subject> subject_of(const Graph& model, const std::vector<size_t>& nodes) {
  OPKIT_CHECK(check_one_piece(model, nodes));
  Subject subject;
  subject.model = true;
  std::vector<std::string> names;
  for (const size_t n : nodes) names.push_back(graph::name_of(model.nodes[n]));
  subject.name = fmt::format("{}", fmt::join(names, " + "));
  subject.graph.name = subject.name;
  subject.graph.opset = model.opset;
  copy_nodes(model, nodes, subject.graph);
  subject.graph.outputs = values_that_leave(model, nodes);
  OPKIT_CHECK(check_known(subject.graph, ""));
  return subject;
}

}  // namespace opkit::feasible
