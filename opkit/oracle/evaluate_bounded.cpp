#include "opkit/oracle/evaluate_bounded.h"

#include "opkit/contract/scope.h"
#include "opkit/oracle/rule.h"
#include "opkit/oracle/stored.h"
#include "opkit/oracle/unspecified_nan.h"

namespace opkit::oracle {
namespace {

using graph::ValueInfo;

// Returns what the lowering may know of a call: values only of inputs that the host reads.
Result<ReferenceCall> reference_call(const OracleCall& call) {
  ReferenceCall known{{},
                      call.attrs,
                      call.scope ? *call.scope : scope_of(*call.contract, call.symbols, call.attrs),
                      call.column,
                      call.spelling};
  for (size_t p = 0; p < call.contract->inputs.size(); ++p) {
    std::vector<ValueInfo> values;
    for (const Tensor& tensor : (*call.inputs)[p]) {
      ValueInfo value{tensor.dtype(), tensor.shape(), Format::kND, nullptr};
      if (call.contract->inputs[p].value_depend) {
        OPKIT_TRY(reference::RefTensor constant, reference::from_tensor(tensor));
        value.constant = std::make_shared<const reference::RefTensor>(std::move(constant));
      }
      values.push_back(std::move(value));
    }
    known.inputs.push_back(std::move(values));
  }
  return known;
}

Result<BoundedTensors> operands_of(const OracleCall& call, const graph::Graph& graph) {
  BoundedTensors tensors;
  for (size_t p = 0; p < call.contract->inputs.size(); ++p) {
    const std::vector<Tensor>& given = (*call.inputs)[p];
    for (size_t i = 0; i < given.size(); ++i) {
      OPKIT_TRY(reference::RefTensor value, reference::from_tensor(given[i]));
      Bounded& input = tensors[tensor_name(call.contract->inputs[p], i)];
      input = Bounded::exactly(std::move(value));
      input.zero_sign = ZeroSign::kGiven;
    }
  }
  for (const auto& [name, value] : graph.values) {
    if (value.constant == nullptr) continue;
    Bounded& constant = tensors[name] = Bounded::exactly(*value.constant);
    // A kernel may round a number to its working type before it uses it.
    constant.pending = is_float(value.dtype);
    constant.zero_sign = ZeroSign::kConstant;
  }
  return tensors;
}

Working policy_of(const OracleCall& call) {
  const OpContract& contract = *call.contract;
  Working policy;
  policy.saturate = contract.numeric.overflow == NumericPolicy::Overflow::kSaturate;
  policy.unruled = contract.tolerance_of(call.column) != nullptr;
  if (contract.numeric.accumulate) policy.dtype = *contract.numeric.accumulate;
  if (call.working) policy.dtype = *call.working;
  return policy;
}

Error at_node(Error error, const OpContract& contract, const graph::Node& node) {
  if (error.trail.empty()) error.trail.push_back("node " + node.name);
  return std::move(error).of(contract.op).at(node.where);
}

// What a node stores in memory is read back rounded.
void store(const OracleCall& call, const LoweredReference& lowered, const graph::Node& node,
           Working working, BoundedTensors& tensors) {
  const NumericPolicy& numeric = call.contract->numeric;
  for (const std::string& name : node.outputs) {
    const auto found = lowered.stored.find(name);
    const auto tensor = tensors.find(name);
    if (found == lowered.stored.end() || tensor == tensors.end()) continue;
    const auto& [dtype, scaled] = found->second;
    if (!numeric.accumulate) working.dtype = dtype;
    tensor->second = scaled ? stored_scaled(tensor->second, dtype, working)
                            : stored(tensor->second, dtype, working, numeric.rounding);
  }
}

Result<BoundedPorts> evaluated(const OracleCall& call, const LoweredReference& lowered) {
  const OpContract& contract = *call.contract;
  OPKIT_TRY(BoundedTensors tensors, operands_of(call, lowered.graph));
  const Working policy = policy_of(call);
  const bool stated = contract.numeric.accumulate.has_value() || call.working.has_value();
  for (const graph::Node& node : lowered.graph.nodes) {
    Status done = evaluate_step(node, policy, stated, tensors);
    if (!done.ok()) return at_node(std::move(done).error(), contract, node);
    if (!call.working) store(call, lowered, node, policy, tensors);
  }
  BoundedPorts outputs;
  for (const std::vector<std::string>& names : lowered.outputs) {
    outputs.emplace_back();
    for (const std::string& name : names) outputs.back().push_back(tensors.at(name));
  }
  return outputs;
}

}  // namespace

Status check_judged(const OpContract& contract) {
  if (contract.no_reference.empty()) return {};
  return contract.error("OPK-VERIFY-001", "the contract has no reference: " + contract.no_reference,
                        "write a reference, so that results can be judged");
}

Result<LoweredReference> lowered_call(const OracleCall& call) {
  OPKIT_TRY(const ReferenceCall known, reference_call(call));
  return lower_reference(*call.contract, known);
}

Result<BoundedPorts> evaluate_lowered(const OracleCall& call, const LoweredReference& lowered) {
  auto outputs = evaluated(call, lowered);
  if (!outputs.ok() || call.contract->numeric.nan == NumericPolicy::Nan::kPropagate ||
      !holds_nan(*call.inputs))
    return outputs;
  for (const double value : {1.0, -1000.0}) {
    const std::vector<std::vector<Tensor>> inputs = without_nan(*call.inputs, value);
    OracleCall other = call;
    other.inputs = &inputs;
    OPKIT_TRY(const BoundedPorts without, evaluated(other, lowered));
    open_where_different(without, *outputs);
  }
  return outputs;
}

Result<BoundedPorts> evaluate_bounded(const OracleCall& call) {
  OPKIT_CHECK(check_judged(*call.contract));
  OPKIT_TRY(const LoweredReference lowered, lowered_call(call));
  return evaluate_lowered(call, lowered);
}

}  // namespace opkit::oracle
