#include "opkit/atc/ge/contract_operator.h"

#include <fmt/format.h>

#include "opkit/atc/compile/reference_nodes.h"
#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {
namespace {

using graph::Graph;

// Says a contract's attributes in the types of graphs.
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

// Says attributes of graphs in the types of contracts. A tensor is no attribute of a contract.
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

Error refused(const ContractCall& call, const Error& why) {
  const std::string code = why.code.empty() ? "" : why.code + ": ";
  return Error(kBadOperator,
               fmt::format("{} ({}): {}{}", call.name, call.op.type, code, why.message),
               why.action.empty() ? "use the operators of its reference" : why.action)
      .of(call.op.type);
}

}  // namespace

Prototype prototype_of(const OpContract& contract) {
  Prototype made{contract.op, {}, {}, {}, {}};
  for (const Port& port : contract.inputs) made.inputs.push_back({port.name, port.presence});
  for (const Port& port : contract.outputs) made.outputs.push_back(port.name);
  for (const Attr& attr : contract.attrs) {
    PrototypeAttribute one{attr.name, kind_of(attr.type), {}};
    if (attr.default_value) one.otherwise = std::visit(ToGraph(), *attr.default_value);
    made.attributes.push_back(std::move(one));
  }
  return made;
}

Status add_reference(const ContractCall& call, Graph& graph, Known& known) {
  OPKIT_CHECK(known.update());
  opkit::AttrValues attrs;
  for (const auto& [name, value] : call.op.attributes) attrs[name] = std::visit(FromGraph(), value);
  std::vector<std::vector<std::string>> inputs, outputs;
  for (const Port& port : call.contract.inputs) inputs.push_back(call.inputs.at(port.name));
  for (size_t p = 0; p < call.contract.outputs.size(); ++p)
    outputs.push_back({p == 0 ? call.name : fmt::format("{}:{}", call.name, p)});
  const Status added =
      compile::add_reference_nodes({call.contract, call.name, attrs, inputs, outputs}, graph);
  return added.ok() ? added : refused(call, added.error());
}

}  // namespace opkit::ge_frontend
