#include "opkit/ge/contract_operator.h"

#include <fmt/format.h>

#include "opkit/contract/lower.h"
#include "opkit/ge/emitter.h"
#include "opkit/infer/binding.h"
#include "opkit/reference/infer.h"

namespace opkit::ge_frontend {
namespace {

using graph::Graph;
using graph::Node;

// The contract's types of attributes in those of graphs.
struct ToGraph {
  AttrValue operator()(bool value) const { return value; }
  AttrValue operator()(int64_t value) const { return value; }
  AttrValue operator()(double value) const { return static_cast<float>(value); }
  AttrValue operator()(const std::string& value) const { return value; }
  AttrValue operator()(const std::vector<double>& value) const {
    return std::vector<float>(value.begin(), value.end());
  }
  template <typename T>
  AttrValue operator()(const T& value) const {
    return value;
  }
};

// And back. A tensor is no attribute of a contract.
struct FromGraph {
  opkit::AttrValue operator()(float value) const { return static_cast<double>(value); }
  opkit::AttrValue operator()(const std::vector<float>& value) const {
    return std::vector<double>(value.begin(), value.end());
  }
  opkit::AttrValue operator()(const ge::Tensor&) const { return false; }
  template <typename T>
  opkit::AttrValue operator()(const T& value) const {
    return value;
  }
};

size_t kind_of(AttrType type) {
  switch (type) {
    case AttrType::kBool: return AttrValue(false).index();
    case AttrType::kInt: return AttrValue(int64_t{}).index();
    case AttrType::kFloat: return AttrValue(0.0f).index();
    case AttrType::kString: return AttrValue(std::string()).index();
    case AttrType::kListBool: return AttrValue(std::vector<bool>()).index();
    case AttrType::kListInt: return AttrValue(std::vector<int64_t>()).index();
    case AttrType::kListFloat: return AttrValue(std::vector<float>()).index();
    default: return AttrValue(std::vector<std::string>()).index();
  }
}

Presence presence_of(opkit::Presence presence) {
  if (presence == opkit::Presence::kRequired) return Presence::kRequired;
  return presence == opkit::Presence::kOptional ? Presence::kOptional : Presence::kDynamic;
}

Status infer_rest(Graph& graph, size_t& inferred) {
  for (; inferred < graph.nodes.size(); ++inferred) {
    const Node& node = graph.nodes[inferred];
    std::vector<const graph::Value*> inputs;
    for (const std::string& input : node.inputs)
      inputs.push_back(input.empty() ? nullptr : &graph.values.at(input));
    OPKIT_TRY(const std::vector<graph::Value> outputs,
              reference::infer_node(node, inputs, graph.opset));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      graph::Value& value = graph.values[node.outputs[i]];
      value.dtype = outputs[i].dtype;
      value.shape = outputs[i].shape;
    }
  }
  return {};
}

class Reference {
 public:
  Reference(const ContractCall& call, Graph& graph) : call_(call), graph_(graph) {}

  Status run() {
    OPKIT_TRY(const std::vector<PortFacts> facts, facts_of_inputs());
    AttrValues attrs;
    for (const auto& [name, value] : call_.op.attributes)
      attrs[name] = std::visit(FromGraph(), value);
    auto binding = bind_facts(call_.contract, facts, attrs);
    if (!binding.ok()) return refused(binding.error());
    ReferenceCall reference{values(), binding->attrs, binding->scope, binding->column};
    auto lowered = lower_reference(call_.contract, reference);
    if (!lowered.ok()) return refused(lowered.error());
    if (!lowered->stored.empty())
      return refused(Error("", "its reference rounds results on the way"));
    return add(*lowered);
  }

 private:
  Error refused(const Error& why) const {
    const std::string code = why.code.empty() ? "" : why.code + ": ";
    return Error(kBadOperator,
                 fmt::format("{} ({}): {}{}", call_.name, call_.op.type, code, why.message),
                 why.action.empty() ? "use the operators of its reference" : why.action)
        .of(call_.op.type);
  }

  const std::vector<std::string>& names_of(const Port& port) const {
    return call_.inputs.at(port.name);
  }

  std::vector<std::vector<graph::Value>> values() const {
    std::vector<std::vector<graph::Value>> all;
    for (const Port& port : call_.contract.inputs) {
      all.emplace_back();
      for (const std::string& name : names_of(port)) all.back().push_back(graph_.values.at(name));
    }
    return all;
  }

  Result<std::vector<PortFacts>> facts_of_inputs() const {
    std::vector<PortFacts> all;
    for (const Port& port : call_.contract.inputs) {
      all.emplace_back();
      for (const std::string& name : names_of(port)) {
        const graph::Value& value = graph_.values.at(name);
        if (!value.shape)
          return refused(Error("", fmt::format("the dims of '{}' are not known", name)));
        TensorFacts facts{{port.name, value.dtype, *value.shape, port.formats[0]}, {}, {}};
        if (port.value_depend && value.constant)
          facts.values.emplace(value.constant->values.begin(), value.constant->values.end());
        all.back().push_back(std::move(facts));
      }
    }
    return all;
  }

  Status add(const LoweredReference& lowered) {
    for (size_t p = 0; p < call_.contract.inputs.size(); ++p) {
      const Port& port = call_.contract.inputs[p];
      for (size_t i = 0; i < names_of(port).size(); ++i)
        renamed_[tensor_name(port, i)] = names_of(port)[i];
    }
    for (const auto& [name, value] : lowered.graph.values) {
      if (value.constant && renamed_.count(name) == 0)
        graph_.add_constant(here(name), *value.constant);
    }
    for (Node node : lowered.graph.nodes) {
      for (std::string& input : node.inputs) input = input.empty() ? input : here(input);
      for (std::string& output : node.outputs) output = output.empty() ? output : here(output);
      node.name = node.outputs[0];
      graph_.nodes.push_back(std::move(node));
    }
    return add_results(lowered);
  }

  // Views of what the nodes computed, which cost nothing.
  Status add_results(const LoweredReference& lowered) {
    size_t number = 0;
    for (const std::vector<std::string>& port : lowered.outputs) {
      if (port.size() != 1)
        return refused(Error("", "it has outputs that are absent or several tensors"));
      const std::string result =
          number == 0 ? call_.name : fmt::format("{}:{}", call_.name, number);
      graph_.nodes.push_back({"Identity", {here(port[0])}, {result}, {}, result});
      ++number;
    }
    return {};
  }

  std::string here(const std::string& name) {
    const auto known = renamed_.find(name);
    if (known != renamed_.end()) return known->second;
    return renamed_[name] = fmt::format("{}/{}", call_.name, name);
  }

  const ContractCall& call_;
  Graph& graph_;
  std::map<std::string, std::string> renamed_;
};

}  // namespace

Prototype prototype_of(const OpContract& contract) {
  Prototype made{contract.op, {}, {}, {}};
  for (const Port& port : contract.inputs)
    made.inputs.push_back({port.name, presence_of(port.presence)});
  for (const Port& port : contract.outputs) made.outputs.push_back(port.name);
  for (const Attr& attr : contract.attrs) {
    PrototypeAttribute one{attr.name, kind_of(attr.type), {}};
    if (attr.default_value) one.otherwise = std::visit(ToGraph(), *attr.default_value);
    made.attributes.push_back(std::move(one));
  }
  return made;
}

Status add_reference(const ContractCall& call, Graph& graph, size_t& inferred) {
  OPKIT_CHECK(infer_rest(graph, inferred));
  return Reference(call, graph).run();
}

}  // namespace opkit::ge_frontend
