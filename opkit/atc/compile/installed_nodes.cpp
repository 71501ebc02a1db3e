#include "opkit/atc/compile/installed_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "opkit/atc/compile/installed_calls.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/base/suggest.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/contract/deal.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/operators.h"
#include "opkit/rewrite/match/attribute_value.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

bool is_unknown(const Node& node) { return reference::find_operator(node.op_type) == nullptr; }

bool is_of_a_domain(const Node& node) { return op_type_of(node) != node.op_type; }

// A slip of a finger seldom changes the first letter; a name of another op does.
bool begins_alike(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return !a.empty() && !b.empty() && lower(a[0]) == lower(b[0]);
}

Error no_parser(const Node& node, const InstalledOps& ops) {
  const auto refused = [&](const std::string& why, const std::string& action) {
    return Error("E19010",
                 fmt::format("No parser is registered for Op [{}, optype [{}]]: {}",
                             graph::name_of(node), node.op_type, why),
                 action);
  };
  const std::string type = op_type_of(node);
  if (const Error* why = ops.why_not(type))
    return refused(fmt::format("it is no ONNX operator, and the installed op '{}' does not serve "
                               "here: {}: {}",
                               type, why->code, why->message),
                   why->action.empty() ? fmt::format("opkit why {}", type) : why->action);
  std::vector<std::string> names;  // that it could be a slip of; of a domain of its own it is none
  if (!is_of_a_domain(node)) {
    names = reference::operator_names();
    for (const auto& op : ops.all()) names.push_back(op->contract().op);
  }
  std::erase_if(names, [&](const std::string& name) { return !begins_alike(name, type); });
  const auto near = nearest(type, names);
  return refused("it is no ONNX operator that opkit reads, and no installed op has that type",
                 near ? fmt::format("did you mean '{}'?", *near)
                      : fmt::format("install an op {}, or export it as operators of "
                                    "docs/reference-ops.md",
                                    type));
}

Error no_such_call(const Node& node, const OpContract& contract, const std::string& why,
                   std::string action) {
  return Error("OPK-ATC-014",
               fmt::format("node '{}' is no call of the installed op {}: {}", graph::name_of(node),
                           contract.op, why),
               std::move(action))
      .at(contract.location)
      .of(contract.op);
}

// One node while it becomes a call.
class InstalledCall {
 public:
  InstalledCall(Node& node, InstalledOp& op, Graph& graph)
      : node_(node), op_(op), contract_(op.contract()), graph_(graph) {}

  Status run(const std::string& soc) {
    OPKIT_CHECK(take_inputs());
    OPKIT_CHECK(take_attributes());
    match_.contract = &contract_;
    match_.column = column();
    OPKIT_TRY(const SharedPlan plan, plan_of(op_, match_, graph_, soc));
    match_.column = plan->binding.column;
    return take_outputs(plan->output_layouts);
  }

 private:
  Status take_inputs() {
    const Dealing dealing = deal(contract_.inputs, node_.inputs.size());
    if (dealing.several_dynamic)
      return no_such_call(node_, contract_,
                          "it has several dynamic inputs, and a node of a model "
                          "does not say where each ends",
                          "build the graph by a program: ge::Operator names its inputs");
    if (!dealing.shares)
      return no_such_call(
          node_, contract_,
          fmt::format("it has {} inputs, the op takes {}", node_.inputs.size(), input_names()),
          "give the node the op's inputs in the contract's order");
    size_t next = 0;
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      match_.inputs.emplace_back();
      for (size_t i = 0; i < (*dealing.shares)[p]; ++i)
        OPKIT_CHECK(take_input(contract_.inputs[p], node_.inputs[next++]));
    }
    node_.inputs.clear();
    for (const auto& port : match_.inputs)
      node_.inputs.insert(node_.inputs.end(), port.begin(), port.end());
    return {};
  }

  std::string input_names() const {
    std::string names;
    for (const Port& port : contract_.inputs) names += (names.empty() ? "" : ", ") + port.name;
    return names;
  }

  Status take_input(const Port& port, const std::string& name) {
    if (name.empty() && port.presence == Presence::kOptional) return {};
    if (name.empty())
      return no_such_call(node_, contract_, fmt::format("input '{}' is absent", port.name),
                          "give the node that input");
    const graph::ValueInfo& value = graph_.values.at(name);
    if (!value.shape || !value.shape->is_static() || value.dtype == DType::kUndefined)
      return no_such_call(
          node_, contract_,
          fmt::format("the dims of '{}', its input '{}', depend on data", name, port.name),
          "cut the model in front of this node");
    if (port.value_depend && value.constant == nullptr)
      return no_such_call(
          node_, contract_,
          fmt::format("input '{}' is planned with its values, and '{}' is no constant", port.name,
                      name),
          "give the node an initializer there");
    match_.inputs.back().push_back(name);
    return {};
  }

  Status take_attributes() {
    for (const auto& [name, value] : node_.attributes) {
      const Attr* attr = contract_.attr(name);
      if (attr == nullptr) return no_attribute(name);
      const auto taken = match::value_for(attr->type, value);
      if (!taken)
        return no_such_call(node_, contract_,
                            fmt::format("attribute '{}' is {}, the op takes {}", name,
                                        match::text_of(value), name_of(attr->type)),
                            "export the attribute with the op's type");
      match_.attrs[name] = *taken;
    }
    return {};
  }

  Error no_attribute(const std::string& name) const {
    std::vector<std::string> known;
    for (const Attr& attr : contract_.attrs) known.push_back(attr.name);
    return no_such_call(node_, contract_, fmt::format("it has an attribute '{}'", name),
                        suggest(name, known, "leave it out; the op has no such attribute"));
  }

  // Returns one of the inputs' dtypes, with dense formats when there is such.
  size_t column() const {
    std::optional<size_t> found;
    for (size_t c = 0; c < contract_.column_count(); ++c) {
      if (!has_dtypes(c)) continue;
      if (std::ranges::all_of(contract_.inputs,
                              [c](const Port& port) { return is_dense(port.formats[c]); }))
        return c;
      found = found.value_or(c);
    }
    return found.value_or(0);
  }

  bool has_dtypes(size_t c) const {
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      for (const std::string& name : match_.inputs[p]) {
        if (graph_.values.at(name).dtype != contract_.inputs[p].dtypes[c]) return false;
      }
    }
    return true;
  }

  // The op gives all its results, whether the model names them or not.
  Status take_outputs(const std::vector<PortLayouts>& layouts) {
    std::vector<graph::ValueInfo> results;
    std::vector<int64_t> counts;  // counts the tensors of each port
    for (const PortLayouts& port : layouts) {
      counts.push_back(static_cast<int64_t>(port.size()));
      for (const StorageLayout& layout : port)
        results.push_back({layout.dtype(), layout.origin(), Format::kND, nullptr});
    }
    if (results.empty())
      return no_such_call(node_, contract_, "it gives no results, it writes into its inputs",
                          "call the op by a program");
    if (node_.outputs.size() > results.size())
      return no_such_call(
          node_, contract_,
          fmt::format("it has {} outputs, the op gives {}", node_.outputs.size(), results.size()),
          "give the node the op's outputs in the contract's order");
    node_.outputs.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      if (!node_.outputs[i].empty()) graph_.values[node_.outputs[i]] = results[i];
    }
    node_.op_type = std::string(reference::kOpaqueMark) + contract_.op;
    reference::state_results(node_, results);
    state_call(match_, std::move(counts), node_);
    return {};
  }

  Node& node_;
  InstalledOp& op_;
  const OpContract& contract_;
  Graph& graph_;
  match::Match match_;
};

// Constants that inference finds on the way are known to calls behind them, and leave no trace.
class Taking {
 public:
  Taking(Graph& graph, const InstalledOps& ops, const std::string& soc)
      : graph_(graph), ops_(ops), soc_(soc), known_(graph) {
    known_.nodes.clear();
  }

  Status run() {
    for (Node& node : graph_.nodes) {
      Status taken = is_unknown(node) ? take(node) : infer(node);
      if (taken.ok()) continue;
      Error error = std::move(taken).error();
      error.trail.push_back(fmt::format("node {} ({})", graph::name_of(node), op_type_of(node)));
      return error;
    }
    return {};
  }

 private:
  Status take(Node& node) {
    InstalledOp* op = ops_.find(op_type_of(node));
    if (op == nullptr || reference::is_opaque(node.op_type)) return no_parser(node, ops_);
    return InstalledCall(node, *op, known_).run(soc_);
  }

  Status infer(const Node& node) {
    std::vector<const graph::ValueInfo*> inputs;
    for (const std::string& input : node.inputs)
      inputs.push_back(input.empty() ? nullptr : &known_.values[input]);
    OPKIT_TRY(const auto outputs, reference::infer_node(node, inputs, graph_.opset));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.outputs[i].empty()) known_.values[node.outputs[i]] = outputs[i];
    }
    return {};
  }

  Graph& graph_;
  const InstalledOps& ops_;
  const std::string& soc_;
  Graph known_;
};

// Raises the operators to the version of references; a model that cannot be raised keeps its
// own.
Status raise_version(Graph& graph) {
  std::vector<passes::Rewrite> raising;
  for (const passes::Rewrite& rewrite : passes::canonical_rewrites()) {
    if (rewrite.name == "raise_version") raising.push_back(rewrite);
  }
  OPKIT_TRY([[maybe_unused]] const auto changes, passes::canonicalize(graph, raising));
  return {};
}

}  // namespace

Status take_installed_nodes(Graph& graph, const InstalledOps& ops, const std::string& soc) {
  if (std::ranges::none_of(graph.nodes, is_unknown)) return {};
  OPKIT_CHECK(check_inputs(graph));
  OPKIT_CHECK(Taking(graph, ops, soc).run());
  OPKIT_CHECK(raise_version(graph));
  OPKIT_CHECK(graph::sort_nodes(graph));
  return graph::validate(graph);
}

}  // namespace opkit::compile
