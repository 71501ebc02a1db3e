#include "opkit/contract/lower.h"

#include <fmt/format.h>

#include "opkit/contract/axes.h"
#include "opkit/contract/store_words.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"

namespace opkit {
namespace {

using graph::Attribute;
using graph::Node;
using graph::RefTensor;

// The waist hands float attributes over as float32.
double single(double value) { return static_cast<double>(static_cast<float>(value)); }

RefTensor scalar(DType dtype, double value) { return {dtype, Shape{}, {value}}; }

template <typename T>
RefTensor list_of(DType dtype, const std::vector<T>& values) {
  return {dtype, Shape{static_cast<int64_t>(values.size())},
          std::vector<double>(values.begin(), values.end())};
}

std::vector<double> singles(std::vector<double> values) {
  for (double& value : values) value = single(value);
  return values;
}

struct ToAttribute {
  bool from_call;  // not written in the contract

  Attribute operator()(bool flag) const { return int64_t{flag ? 1 : 0}; }
  Attribute operator()(int64_t whole) const { return whole; }
  Attribute operator()(double real) const { return from_call ? single(real) : real; }
  Attribute operator()(const std::string& text) const { return text; }
  Attribute operator()(const std::vector<int64_t>& list) const { return list; }
  Attribute operator()(const std::vector<double>& list) const {
    return from_call ? singles(list) : list;
  }
  Attribute operator()(const std::vector<std::string>& list) const { return list; }
  Attribute operator()(const std::vector<bool>& flags) const {
    return std::vector<int64_t>(flags.begin(), flags.end());
  }
};

// An attribute as an operand: numbers take the dtype of the node's first tensor, lists of integers
// stay integers.
struct ToTensor {
  DType dtype;

  std::optional<RefTensor> operator()(bool flag) const { return scalar(dtype, flag ? 1 : 0); }
  std::optional<RefTensor> operator()(int64_t whole) const {
    return scalar(dtype, static_cast<double>(whole));
  }
  std::optional<RefTensor> operator()(double real) const { return scalar(dtype, single(real)); }
  std::optional<RefTensor> operator()(const std::vector<int64_t>& list) const {
    return list_of(DType::kInt64, list);
  }
  std::optional<RefTensor> operator()(const std::vector<double>& list) const {
    return list_of(dtype, singles(list));
  }
  template <typename T>
  std::optional<RefTensor> operator()(const T&) const {
    return std::nullopt;
  }
};

class Lowering {
 public:
  Lowering(const OpContract& contract, const ReferenceCall& call)
      : contract_(contract), call_(call) {}

  Result<LoweredReference> run() {
    result_.graph.name = contract_.op;
    take_inputs();
    const Spelling* spelling = call_.spelling;
    for (const ReferenceNode& node : spelling ? spelling->reference : contract_.reference) {
      Status done = take_node(node);
      if (!done.ok()) return in_contract(std::move(done).error(), node);
    }
    take_outputs();
    return std::move(result_);
  }

 private:
  Error in_contract(Error error, const ReferenceNode& node) const {
    if (error.where.line == 0) error.where = node.where;
    error.op = contract_.op;
    return error;
  }

  void take_inputs() {
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      const Port& port = contract_.inputs[p];
      for (size_t i = 0; i < call_.inputs[p].size(); ++i) {
        const std::string name = tensor_name(port, i);
        result_.graph.inputs.push_back(name);
        tensors_[port.name].push_back(name);
        know(name, call_.inputs[p][i]);
      }
    }
  }

  // The graph states dtype and shape; values that merely are known stay aside.
  void know(const std::string& name, graph::ValueInfo value) {
    known_[name] = value;
    value.constant = nullptr;
    result_.graph.values[name] = std::move(value);
  }

  Status take_node(const ReferenceNode& node) {
    OPKIT_TRY(const bool runs, holds(node));
    if (!runs) {
      for (const std::string& name : node.out) tensors_[name] = tensors_[node.otherwise];
      return {};
    }
    Node made;
    made.op_type = node.op;
    made.name = node.out[0];
    made.where = node.where;
    for (const auto& [name, attr] : node.attrs) made.attributes[name] = attribute(attr);
    OPKIT_CHECK(take_operands(node, made));
    complete_permutation(made);
    for (const std::string& name : node.out) OPKIT_CHECK(take_result(name, made));
    OPKIT_CHECK(infer(made));
    if (!node.store.empty())
      take_store({node.store[call_.column], store_words(node.store_text).scaled}, made);
    result_.graph.nodes.push_back(std::move(made));
    return {};
  }

  // perm: [-1, -2] exchanges the last two axes of a tensor of any rank.
  void complete_permutation(Node& made) {
    const auto perm = made.attributes.find("perm");
    if (made.op_type != "Transpose" || perm == made.attributes.end() || made.inputs.empty()) return;
    const std::optional<Shape>& shape = known_[made.inputs[0]].shape;
    auto* axes = std::get_if<std::vector<int64_t>>(&perm->second);
    if (shape && axes != nullptr) *axes = whole_permutation(*axes, shape->rank());
  }

  void take_store(const Stored& stored, const Node& made) {
    for (const std::string& name : made.outputs) {
      if (!name.empty()) result_.stored[name] = stored;
    }
  }

  Result<bool> holds(const ReferenceNode& node) const {
    if (!node.when) return true;
    OPKIT_TRY(const Range truth, node.when->evaluate(call_.scope));
    return !truth.is_false();
  }

  Attribute attribute(const NodeAttr& attr) const {
    const bool from_call = !attr.literal;
    return std::visit(ToAttribute{from_call},
                      from_call ? call_.attrs.at(attr.attr) : *attr.literal);
  }

  // All tensors of a dynamic port stand where its name stands.
  Status take_operands(const ReferenceNode& node, Node& made) {
    const DType first = first_dtype(node);
    for (const Operand& operand : node.in) {
      if (operand.kind == Operand::Kind::kTensor) {
        const std::vector<std::string>& tensors = tensors_[operand.name];
        made.inputs.insert(made.inputs.end(), tensors.begin(), tensors.end());
        if (tensors.empty() && !is_dynamic(operand.name)) made.inputs.emplace_back();
      } else if (operand.kind == Operand::Kind::kAbsent) {
        made.inputs.emplace_back();
      } else {
        OPKIT_TRY(RefTensor tensor, value_of(operand, first));
        made.inputs.push_back(constant(std::move(tensor)));
      }
    }
    while (!made.inputs.empty() && made.inputs.back().empty()) made.inputs.pop_back();
    return {};
  }

  bool is_dynamic(const std::string& name) const {
    const Port* port = contract_.input(name);
    return port != nullptr && port->presence == Presence::kDynamic;
  }

  DType first_dtype(const ReferenceNode& node) {
    for (const Operand& operand : node.in) {
      if (operand.kind != Operand::Kind::kTensor || tensors_[operand.name].empty()) continue;
      return known_[tensors_[operand.name][0]].dtype;
    }
    return DType::kFloat32;
  }

  Result<RefTensor> value_of(const Operand& operand, DType first) const {
    const DType dtype = operand.dtype.value_or(first);
    if (operand.kind == Operand::Kind::kConstant) {
      return operand.is_scalar ? scalar(dtype, operand.constant[0])
                               : list_of(dtype, operand.constant);
    }
    if (operand.kind == Operand::Kind::kShape) {
      OPKIT_TRY(const std::vector<int64_t> dims, dims_in(operand.shape, call_.scope));
      return list_of(DType::kInt64, dims);
    }
    if (auto tensor = std::visit(ToTensor{first}, call_.attrs.at(operand.name))) return *tensor;
    return Error("OPK-CONTRACT-045",
                 fmt::format("attribute {} is neither a number nor a list of numbers, so that no "
                             "tensor can hold it",
                             operand.name),
                 "write it under attrs of the node")
        .at(operand.where);
  }

  std::string constant(RefTensor tensor) {
    const std::string name = fmt::format("#{}", constants_++);
    result_.graph.add_constant(name, std::move(tensor));
    known_[name] = result_.graph.values[name];
    return name;
  }

  Status take_result(const std::string& name, Node& made) {
    if (name.empty()) return made.outputs.emplace_back(), Status();
    size_t tensors = 1;
    const Port* port = contract_.output(name);
    if (port != nullptr && port->count) {
      OPKIT_TRY(const Range count, port->count->evaluate(call_.scope));
      if (!count.is_known() || count.lo < 0)
        return Error("OPK-CONTRACT-046",
                     fmt::format("the number of tensors of {} is not known", name),
                     "let the inputs decide it");
      tensors = static_cast<size_t>(count.lo);
    }
    tensors_[name].clear();
    for (size_t i = 0; i < tensors; ++i) {
      made.outputs.push_back(port != nullptr ? tensor_name(*port, i) : name);
      tensors_[name].push_back(made.outputs.back());
    }
    return {};
  }

  Status infer(const Node& node) {
    std::vector<const graph::ValueInfo*> inputs;
    for (const std::string& input : node.inputs)
      inputs.push_back(input.empty() ? nullptr : &known_[input]);
    OPKIT_TRY(const std::vector<graph::ValueInfo> outputs,
              reference::infer_node(node, inputs, result_.graph.opset));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.outputs[i].empty()) know(node.outputs[i], outputs[i]);
    }
    return {};
  }

  void take_outputs() {
    for (const Port& port : contract_.outputs) {
      result_.outputs.push_back(tensors_[port.name]);
      for (const std::string& name : result_.outputs.back()) result_.graph.outputs.push_back(name);
    }
  }

  const OpContract& contract_;
  const ReferenceCall& call_;
  LoweredReference result_;
  // Holds the graph's values for each name of the contract.
  std::map<std::string, std::vector<std::string>> tensors_;
  std::map<std::string, graph::ValueInfo> known_;
  size_t constants_ = 0;
};

Error unknown_dim(const Expr& item) {
  return Error("OPK-CONTRACT-046", fmt::format("the value of '{}' is not known", item.to_string()),
               "use dims that the inputs' shapes decide")
      .at(item.where());
}

}  // namespace

Result<LoweredReference> lower_reference(const OpContract& contract, const ReferenceCall& call) {
  return Lowering(contract, call).run();
}

std::string tensor_name(const Port& port, size_t i) {
  const bool several = port.presence == Presence::kDynamic || port.count.has_value();
  return several ? fmt::format("{}:{}", port.name, i) : port.name;
}

Result<std::vector<int64_t>> dims_in(const std::vector<Expr>& items, const Scope& scope) {
  std::vector<int64_t> dims;
  for (const Expr& item : items) {
    if (item.type() == Expr::Type::kList) {
      OPKIT_TRY(const ListValue list, item.evaluate_list(scope));
      if (!list.is_known()) return unknown_dim(item);
      for (const Range& dim : list.items) dims.push_back(dim.lo);
    } else {
      OPKIT_TRY(const Range dim, item.evaluate(scope));
      if (!dim.is_known()) return unknown_dim(item);
      dims.push_back(dim.lo);
    }
  }
  return dims;
}

}  // namespace opkit
