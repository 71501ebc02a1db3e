#include "opkit/verify/unfused/node_walk.h"

#include <fmt/format.h>

#include "opkit/contract/scope.h"
#include "opkit/reference/evaluate.h"
#include "opkit/verify/tolerance/evaluate_bounded.h"

namespace opkit::verify {
namespace {

Error cannot(std::string what) {
  return Error("OPK-VERIFY-070", std::move(what), "compare such an op by hand");
}

class NodeWalk {
 public:
  NodeWalk(const OpContract& contract, const Problem& problem, SingleOps& singles)
      : contract_(contract),
        problem_(problem),
        singles_(singles),
        scope_(scope_of(contract, problem.symbols, problem.attrs)) {}

  Result<NodeByNode> run(const Ports& inputs) {
    for (size_t p = 0; p < inputs.size(); ++p) {
      if (contract_.inputs[p].presence == Presence::kDynamic)
        return cannot("the reference takes any number of tensors");
      if (!inputs[p].empty()) done_.tensors[contract_.inputs[p].name] = inputs[p].front();
    }
    for (const ReferenceNode& node : contract_.reference) OPKIT_CHECK(take(node));
    return std::move(done_);
  }

 private:
  Status take(const ReferenceNode& node) {
    if (node.when) {
      OPKIT_TRY(const Range truth, node.when->evaluate(scope_));
      if (truth.is_false()) {
        if (node.otherwise.empty()) return {};
        const auto found = done_.tensors.find(node.otherwise);
        if (found == done_.tensors.end()) return cannot(node.otherwise + " has no value here");
        done_.tensors[node.out[0]] = found->second;
        return {};
      }
    }
    if (node.out.size() != 1) return cannot(node.op + " has several results");
    OPKIT_TRY(std::vector<Tensor> operands, operands_of(node));
    if (auto stored = by_plugin(node, operands)) {
      done_.tensors[node.out[0]] = std::move(*stored);
      return {};
    }
    OPKIT_TRY(done_.tensors[node.out[0]], by_interpreter(node, operands));
    done_.plugins[node.out[0]] = "";
    return {};
  }

  Result<std::vector<Tensor>> operands_of(const ReferenceNode& node) {
    std::vector<Tensor> operands;
    DType dtype = DType::kFloat32;
    for (const Operand& operand : node.in) {
      const auto found = done_.tensors.find(operand.name);
      if (operand.kind != Operand::Kind::kTensor || found == done_.tensors.end()) continue;
      dtype = found->second.dtype();
      break;
    }
    for (const Operand& operand : node.in) {
      OPKIT_TRY(Tensor tensor, operand_of(operand, operand.dtype.value_or(dtype)));
      operands.push_back(std::move(tensor));
    }
    return operands;
  }

  Result<Tensor> operand_of(const Operand& operand, DType dtype) {
    if (operand.kind == Operand::Kind::kTensor) {
      const auto found = done_.tensors.find(operand.name);
      if (found == done_.tensors.end()) return cannot(operand.name + " has no value here");
      return found->second;
    }
    double value = 0;
    if (operand.kind == Operand::Kind::kConstant && operand.is_scalar) {
      value = operand.constant.front();
    } else if (operand.kind == Operand::Kind::kAttr) {
      const AttrValue& attr = problem_.attrs.at(operand.name);
      const auto* real = std::get_if<double>(&attr);
      const auto* whole = std::get_if<int64_t>(&attr);
      if (real == nullptr && whole == nullptr)
        return cannot("attribute " + operand.name + " is no number");
      value = real != nullptr ? *real : static_cast<double>(*whole);
    } else {
      return cannot("an operand is neither a tensor nor a number");
    }
    Tensor scalar(dtype, Shape(std::vector<int64_t>{}));
    scalar.set(0, value);
    return scalar;
  }

  // Numbers become tensors of the other operand's shape: single ops take tensors.
  static std::vector<Tensor> spread(const std::vector<Tensor>& operands) {
    const Tensor* largest = &operands.front();
    for (const Tensor& operand : operands) {
      if (operand.elements() > largest->elements()) largest = &operand;
    }
    std::vector<Tensor> same;
    for (const Tensor& operand : operands) {
      if (operand.shape().rank() != 0 || largest->shape().rank() == 0) {
        same.push_back(operand);
        continue;
      }
      Tensor wide(operand.dtype(), largest->shape(), operand.desc().name);
      for (int64_t i = 0; i < wide.elements(); ++i) wide.set(i, operand.at(0));
      same.push_back(std::move(wide));
    }
    return same;
  }

  // Nothing when no plugin computes the node for these dtypes and shapes.
  std::optional<Tensor> by_plugin(const ReferenceNode& node, const std::vector<Tensor>& operands) {
    const SingleOp* single = node.attrs.empty() ? singles_.find(node.op) : nullptr;
    if (single == nullptr || operands.size() != single->contract->inputs.size()) return {};
    Invocation call;
    call.contract = single->contract;
    call.soc = problem_.soc;
    for (Tensor& operand : spread(operands)) {
      operand.desc().name = single->contract->inputs[call.inputs.size()].name;
      operand.desc().format = Format::kND;
      call.inputs.push_back({std::move(operand)});
    }
    auto ran = single->executor->run(std::move(call));
    if (!ran.ok() || ran->outputs.empty() || ran->outputs[0].empty()) return {};
    done_.plugins[node.out[0]] = single->name;
    return std::move(ran->outputs[0][0]);
  }

  // In double, rounded to the dtype: what a correct single op would store.
  Result<Tensor> by_interpreter(const ReferenceNode& node, const std::vector<Tensor>& operands) {
    reference::RefNode made;
    made.op_type = node.op;
    std::vector<reference::RefTensor> values;
    for (size_t i = 0; i < operands.size(); ++i) {
      OPKIT_TRY(reference::RefTensor value, reference::from_tensor(operands[i]));
      values.push_back(std::move(value));
      made.inputs.push_back(fmt::format("{}", i));
    }
    for (const auto& [name, attr] : node.attrs) {
      const AttrValue& value = attr.literal ? *attr.literal : problem_.attrs.at(attr.attr);
      OPKIT_TRY(made.attributes[name], attribute(value));
    }
    made.outputs = node.out;
    std::vector<const reference::RefTensor*> pointers;
    for (const reference::RefTensor& value : values) pointers.push_back(&value);
    OPKIT_TRY(const std::vector<reference::RefTensor> results,
              reference::evaluate_node(made, pointers));
    return reference::to_tensor(results.front());
  }

  static Result<reference::Attribute> attribute(const AttrValue& value) {
    if (const auto* flag = std::get_if<bool>(&value))
      return reference::Attribute(int64_t{*flag ? 1 : 0});
    if (const auto* whole = std::get_if<int64_t>(&value)) return reference::Attribute(*whole);
    if (const auto* real = std::get_if<double>(&value)) return reference::Attribute(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return reference::Attribute(*text);
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
      return reference::Attribute(*list);
    if (const auto* list = std::get_if<std::vector<double>>(&value))
      return reference::Attribute(*list);
    return cannot("an attribute of the reference is a list of texts or flags");
  }

  const OpContract& contract_;
  const Problem& problem_;
  SingleOps& singles_;
  Scope scope_;
  NodeByNode done_;
};

}  // namespace

Result<NodeByNode> run_node_by_node(const OpContract& contract, const Problem& problem,
                                    const Ports& inputs, SingleOps& singles) {
  return NodeWalk(contract, problem, singles).run(inputs);
}

}  // namespace opkit::verify
