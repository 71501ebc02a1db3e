#include "opkit/verify/tolerance/evaluate_bounded.h"

#include <fmt/format.h>

#include "opkit/contract/axes.h"
#include "opkit/contract/scope.h"
#include "opkit/verify/tolerance/rule.h"
#include "opkit/verify/tolerance/stored.h"
#include "opkit/verify/tolerance/unspecified_nan.h"

namespace opkit::verify {
namespace {

using reference::RefNode;
using reference::RefTensor;

// A call's way through the reference: contract nodes become interpreter nodes with values.
class Walk {
 public:
  explicit Walk(const OracleCall& call)
      : call_(call), scope_(scope_of(*call.contract, call.symbols, call.attrs)) {}

  Result<std::vector<std::vector<Bounded>>> run() {
    OPKIT_CHECK(take_inputs());
    for (const ReferenceNode& node : call_.contract->reference) {
      Status done = take_node(node);
      if (!done.ok()) return std::move(done).error().of(call_.contract->op).at(node.where);
    }
    return outputs();
  }

 private:
  Status take_inputs() {
    for (size_t p = 0; p < call_.contract->inputs.size(); ++p) {
      const Port& port = call_.contract->inputs[p];
      const std::vector<Tensor>& given = (*call_.inputs)[p];
      for (size_t i = 0; i < given.size(); ++i) {
        OPKIT_TRY(RefTensor value, reference::from_tensor(given[i]));
        tensors_[tensor_name(port, i)] = Bounded::exactly(std::move(value));
      }
      counts_[port.name] = given.size();
    }
    return {};
  }

  Status take_node(const ReferenceNode& node) {
    if (node.when) {
      OPKIT_TRY(const Range truth, node.when->evaluate(scope_));
      if (truth.is_false()) return pass_through(node);
    }
    RefNode made;
    made.op_type = node.op;
    for (const auto& [name, attr] : node.attrs) made.attributes[name] = attribute(attr);
    OPKIT_CHECK(take_operands(node, made));
    complete_permutation(made);
    for (const std::string& name : node.out) append_output(name, made);
    Working policy;
    policy.saturate = call_.contract->numeric.overflow == NumericPolicy::Overflow::kSaturate;
    policy.unruled = call_.contract->tolerance_of(call_.column) != nullptr;
    const auto& accumulate = call_.contract->numeric.accumulate;
    if (accumulate) policy.dtype = *accumulate;
    OPKIT_CHECK(evaluate_step(made, policy, accumulate.has_value(), tensors_));
    if (!node.store.empty()) store(node, made, policy);
    return {};
  }

  void store(const ReferenceNode& node, const RefNode& made, Working working) {
    const DType dtype = node.store[call_.column];
    if (!call_.contract->numeric.accumulate) working.dtype = dtype;
    for (const std::string& name : made.outputs) {
      if (const auto found = tensors_.find(name); found != tensors_.end())
        found->second = stored(found->second, dtype, working, call_.contract->numeric.rounding);
    }
  }

  // perm: [-1, -2] exchanges the last two axes of a tensor of any rank.
  void complete_permutation(RefNode& made) const {
    const auto perm = made.attributes.find("perm");
    const auto from = made.inputs.empty() ? tensors_.end() : tensors_.find(made.inputs[0]);
    if (made.op_type != "Transpose" || perm == made.attributes.end() || from == tensors_.end())
      return;
    if (auto* axes = std::get_if<std::vector<int64_t>>(&perm->second))
      *axes = whole_permutation(*axes, from->second.value.shape.rank());
  }

  // Without `else` the results are absent, as optional inputs may be.
  Status pass_through(const ReferenceNode& node) {
    if (node.otherwise.empty()) return {};
    const auto found = tensors_.find(node.otherwise);
    if (found == tensors_.end())
      return Error("OPK-VERIFY-003", "tensor '" + node.otherwise + "' has no value here", "");
    tensors_[node.out[0]] = found->second;
    return {};
  }

  // All tensors of a dynamic port stand where its name stands.
  Status take_operands(const ReferenceNode& node, RefNode& made) {
    std::optional<DType> first;
    for (const Operand& operand : node.in) {
      if (operand.kind != Operand::Kind::kTensor) continue;
      const auto found = tensors_.find(first_name(operand.name));
      if (found != tensors_.end()) first = found->second.value.dtype;
      if (first) break;
    }
    for (const Operand& operand : node.in) {
      if (operand.kind == Operand::Kind::kTensor) {
        append_tensors(operand.name, made);
      } else {
        OPKIT_TRY(std::string name, value_operand(operand, first.value_or(DType::kFloat32)));
        made.inputs.push_back(std::move(name));
      }
    }
    while (!made.inputs.empty() && made.inputs.back().empty()) made.inputs.pop_back();
    return {};
  }

  std::string first_name(const std::string& name) const {
    return tensors_.count(name) > 0 ? name : name + ":0";
  }

  void append_tensors(const std::string& name, RefNode& made) {
    const Port* port = call_.contract->input(name);
    if (port == nullptr || port->presence != Presence::kDynamic) {
      made.inputs.push_back(tensors_.count(name) > 0 ? name : std::string());
      return;
    }
    for (size_t i = 0; i < counts_[name]; ++i) made.inputs.push_back(tensor_name(*port, i));
  }

  void append_output(const std::string& name, RefNode& made) {
    const Port* port = call_.contract->output(name);
    if (port == nullptr || !port->count) return made.outputs.push_back(name);
    auto count = port->count->evaluate(scope_);
    const int64_t tensors = count.ok() && count->is_known() ? count->lo : 1;
    for (int64_t i = 0; i < tensors; ++i)
      made.outputs.push_back(tensor_name(*port, static_cast<size_t>(i)));
  }

  Result<std::string> value_operand(const Operand& operand, DType first) {
    if (operand.kind == Operand::Kind::kAbsent) return std::string();
    RefTensor tensor;
    tensor.dtype = operand.dtype.value_or(first);
    if (operand.kind == Operand::Kind::kConstant) {
      tensor.values = operand.constant;
      if (!operand.is_scalar) tensor.shape = Shape{static_cast<int64_t>(tensor.values.size())};
    } else if (operand.kind == Operand::Kind::kAttr) {
      OPKIT_CHECK(read_attr(operand.name, first, tensor));
    } else {
      tensor.dtype = DType::kInt64;
      OPKIT_TRY(tensor.values, shape_values(operand.shape));
      tensor.shape = Shape{static_cast<int64_t>(tensor.values.size())};
    }
    const std::string name = fmt::format("#{}", tensors_.size());
    tensors_[name] = Bounded::exactly(std::move(tensor));
    // A kernel may round a scalar to its working type before it uses it.
    tensors_[name].pending = is_float(tensors_[name].value.dtype);
    return name;
  }

  // An attribute as an operand: the waist hands floats over as float32.
  Status read_attr(const std::string& name, DType first, RefTensor& tensor) {
    const auto found = call_.attrs.find(name);
    if (found == call_.attrs.end())
      return Error("OPK-VERIFY-003", "attribute '" + name + "' has no value", "");
    const AttrValue& value = found->second;
    tensor.dtype = first;
    if (const bool* flag = std::get_if<bool>(&value)) tensor.values = {*flag ? 1.0 : 0.0};
    if (const int64_t* whole = std::get_if<int64_t>(&value))
      tensor.values = {static_cast<double>(*whole)};
    if (const double* real = std::get_if<double>(&value)) tensor.values = {single(*real)};
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
      tensor.dtype = DType::kInt64;
      tensor.values.assign(list->begin(), list->end());
      tensor.shape = Shape{static_cast<int64_t>(list->size())};
    }
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (double real : *list) tensor.values.push_back(single(real));
      tensor.shape = Shape{static_cast<int64_t>(list->size())};
    }
    return {};
  }

  static double single(double value) { return static_cast<double>(static_cast<float>(value)); }

  Result<std::vector<double>> shape_values(const std::vector<Expr>& items) const {
    std::vector<double> values;
    for (const Expr& item : items) {
      if (item.type() == Expr::Type::kList) {
        OPKIT_TRY(const ListValue list, item.evaluate_list(scope_));
        for (const Range& dim : list.items) values.push_back(static_cast<double>(dim.lo));
      } else {
        OPKIT_TRY(const Range dim, item.evaluate(scope_));
        values.push_back(static_cast<double>(dim.lo));
      }
    }
    return values;
  }

  reference::Attribute attribute(const NodeAttr& attr) const {
    const AttrValue& value = attr.literal ? *attr.literal : call_.attrs.at(attr.attr);
    const bool from_call = !attr.literal;
    if (const bool* flag = std::get_if<bool>(&value)) return int64_t{*flag ? 1 : 0};
    if (const int64_t* whole = std::get_if<int64_t>(&value)) return *whole;
    if (const double* real = std::get_if<double>(&value)) return from_call ? single(*real) : *real;
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return *list;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
    std::vector<int64_t> flags;
    for (const bool flag : std::get<std::vector<bool>>(value)) flags.push_back(flag ? 1 : 0);
    return flags;
  }

  Result<std::vector<std::vector<Bounded>>> outputs() {
    std::vector<std::vector<Bounded>> all;
    for (const Port& port : call_.contract->outputs) {
      std::vector<Bounded> tensors;
      for (size_t i = 0;; ++i) {
        const auto found = tensors_.find(port.count ? tensor_name(port, i) : port.name);
        if (found == tensors_.end() || (!port.count && i > 0)) break;
        tensors.push_back(found->second);
      }
      all.push_back(std::move(tensors));
    }
    return all;
  }

  const OracleCall& call_;
  Scope scope_;
  BoundedTensors tensors_;
  std::map<std::string, size_t> counts_;
};

}  // namespace

std::string tensor_name(const Port& port, size_t i) {
  const bool several = port.presence == Presence::kDynamic || port.count.has_value();
  return several ? fmt::format("{}:{}", port.name, i) : port.name;
}

Result<std::vector<std::vector<Bounded>>> evaluate_bounded(const OracleCall& call) {
  if (!call.contract->no_reference.empty()) {
    return call.contract->error("OPK-VERIFY-001",
                                "the contract has no reference: " + call.contract->no_reference,
                                "write a reference, so that results can be judged");
  }
  auto outputs = Walk(call).run();
  if (!outputs.ok() || call.contract->numeric.nan == NumericPolicy::Nan::kPropagate ||
      !holds_nan(*call.inputs))
    return outputs;
  for (const double value : {1.0, -1000.0}) {
    const std::vector<std::vector<Tensor>> inputs = without_nan(*call.inputs, value);
    OracleCall other = call;
    other.inputs = &inputs;
    OPKIT_TRY(const BoundedPorts without, Walk(other).run());
    open_where_different(without, *outputs);
  }
  return outputs;
}

}  // namespace opkit::verify
