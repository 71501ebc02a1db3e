#include <algorithm>

#include "opkit/oracle/outcome.h"
#include "opkit/oracle/zero_sign_of.h"
#include "opkit/reference/operators.h"

namespace opkit::oracle {
namespace {

using graph::Node;
using reference::RefTensor;

Result<std::vector<const Bounded*>> find_operands(const Node& node, const BoundedTensors& tensors) {
  std::vector<const Bounded*> operands;
  for (const std::string& name : node.inputs) {
    const auto found = tensors.find(name);
    if (!name.empty() && found == tensors.end()) {
      return Error("OPK-VERIFY-003", "tensor '" + name + "' has no value here",
                   "order the reference's nodes");
    }
    operands.push_back(name.empty() ? nullptr : &found->second);
  }
  return operands;
}

Result<std::vector<RefTensor>> evaluate_values(const Node& node,
                                               const std::vector<const Bounded*>& operands) {
  std::vector<const RefTensor*> values;
  for (const Bounded* operand : operands)
    values.push_back(operand == nullptr ? nullptr : &operand->value);
  return reference::evaluate_node(node, values);
}

DType working_type(const std::vector<RefTensor>& outputs, const std::vector<const Bounded*>& in) {
  if (!outputs.empty() && is_float(outputs[0].dtype)) return outputs[0].dtype;
  for (const Bounded* operand : in) {
    if (operand != nullptr && is_float(operand->value.dtype)) return operand->value.dtype;
  }
  return DType::kFloat32;
}

bool floats_involved(const NodeCall& call) {
  const auto is_real = [](const Bounded* input) {
    return input != nullptr && is_float(input->value.dtype);
  };
  return std::any_of(call.inputs.begin(), call.inputs.end(), is_real) ||
         std::any_of(call.values.begin(), call.values.end(),
                     [](const RefTensor& value) { return is_float(value.dtype); });
}

Result<BoundedOutputs> apply_rule(NodeCall call) {
  if (!floats_involved(call) && all_exact(call)) return exact_outcome(call, false);
  const Bound bound = reference::find_operator(call.node.op_type)->bound;
  const bool unknown = bound.rule == reference::BoundRule::kNone;
  if (unknown && call.working.unruled) return exact_outcome(call, false);
  if (bound.exact) return apply_bound(call, bound);
  std::vector<Bounded> settled(call.inputs.size());
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (call.inputs[k] == nullptr || !call.inputs[k]->pending) continue;
    settled[k] = settle(*call.inputs[k], call.working);
    call.inputs[k] = &settled[k];
  }
  return apply_bound(call, bound);
}

// Points that are the values need no list.
void simplify(Bounded& tensor) {
  for (size_t i = 0; i < tensor.bounds.size(); ++i) {
    const Interval& c = tensor.bounds[i];
    if (c.is_nan() && std::isnan(tensor.value.values[i])) continue;
    if (!c.is_point() || c.lo != tensor.value.values[i]) return;
  }
  tensor.bounds.clear();
}

}  // namespace

Result<std::vector<RefTensor>> reevaluate(const NodeCall& call,
                                          const std::vector<RefTensor>& operands) {
  std::vector<const RefTensor*> values;
  for (size_t k = 0; k < operands.size(); ++k)
    values.push_back(call.inputs[k] == nullptr ? nullptr : &operands[k]);
  return reference::evaluate_node(call.node, values);
}

Status evaluate_step(const Node& node, const Working& policy, bool accumulate_stated,
                     BoundedTensors& tensors) {
  OPKIT_TRY(const std::vector<const Bounded*> operands, find_operands(node, tensors));
  OPKIT_TRY(std::vector<RefTensor> values, evaluate_values(node, operands));
  const ZeroSign zero_sign = zero_sign_of(node, operands);
  Working working = policy;
  if (!accumulate_stated) working.dtype = working_type(values, operands);
  OPKIT_TRY(BoundedOutputs outcome, apply_rule({node, operands, std::move(values), working}));
  for (size_t o = 0; o < node.outputs.size() && o < outcome.size(); ++o) {
    if (node.outputs[o].empty()) continue;
    simplify(outcome[o]);
    const bool same_values = node.op_type == "Cast" || node.op_type == "CastLike";
    if (same_values && is_float(outcome[o].value.dtype)) outcome[o].open = operands[0]->open;
    outcome[o].zero_sign = zero_sign;
    tensors[node.outputs[o]] = std::move(outcome[o]);
  }
  return {};
}

}  // namespace opkit::oracle
