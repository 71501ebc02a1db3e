#include "opkit/verify/unfused/node_walk.h"

#include <optional>

#include "opkit/contract/lower.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/reference/evaluate.h"

namespace opkit::verify {
namespace {

using graph::Node;

Error cannot(std::string what) {
  return Error("OPK-VERIFY-070", std::move(what), "compare such an op by hand");
}

using Values = std::map<std::string, Tensor>;

Tensor filled(const Tensor& number, const Shape& shape) {
  Tensor wide(number.dtype(), shape, number.desc().name);
  for (int64_t i = 0; i < wide.elements(); ++i) wide.set(i, number.at(0));
  return wide;
}

// Returns the operands, numbers as tensors of the largest one's shape: some single ops take tensors
// of one shape alone. Nothing when there are no such numbers.
std::optional<Values> spread(const Node& node, const Values& values) {
  Values operands;
  Shape largest;
  bool numbers = false;
  for (const std::string& name : node.inputs) {
    if (name.empty()) continue;
    const Tensor& operand = operands[name] = values.at(name);
    if (operand.elements() > largest.elements() || largest.rank() == 0) largest = operand.shape();
    numbers = numbers || operand.shape().rank() == 0;
  }
  if (!numbers || largest.rank() == 0) return std::nullopt;
  for (auto& [name, operand] : operands) {
    if (operand.shape().rank() == 0) operand = filled(operand, largest);
  }
  return operands;
}

class NodeWalk {
 public:
  NodeWalk(const LoweredReference& lowered, const std::string& soc, SingleOps& singles)
      : lowered_(lowered), soc_(soc), singles_(singles) {}

  Result<NodeByNode> run(const OpContract& contract, const Ports& inputs) {
    for (size_t p = 0; p < inputs.size(); ++p) {
      for (size_t i = 0; i < inputs[p].size(); ++i)
        done_.tensors[tensor_name(contract.inputs[p], i)] = inputs[p][i];
    }
    for (const auto& [name, value] : lowered_.graph.values) {
      if (value.constant == nullptr) continue;
      OPKIT_TRY(done_.tensors[name], reference::to_tensor(*value.constant));
    }
    for (const Node& node : lowered_.graph.nodes) OPKIT_CHECK(take(node));
    for (const std::vector<std::string>& names : lowered_.outputs) {
      done_.outputs.emplace_back();
      for (const std::string& name : names) done_.outputs.back().push_back(done_.tensors.at(name));
    }
    return std::move(done_);
  }

 private:
  Status take(const Node& node) { return by_plugin(node) ? Status() : by_interpreter(node); }

  // Tells whether a plugin computes the node for these dtypes and shapes.
  bool by_plugin(const Node& node) {
    const UnfusedOp* single = singles_.find(node.op_type);
    if (single == nullptr) return false;
    if (by_plugin(node, *single, done_.tensors)) return true;
    const auto wide = spread(node, done_.tensors);
    return wide && by_plugin(node, *single, *wide);
  }

  bool by_plugin(const Node& node, const UnfusedOp& single, const Values& operands) {
    auto call = singles_.call(single, lowered_.graph, node, operands);
    if (!call) return false;
    call->invocation.soc = soc_;
    auto ran = single.executor->run(std::move(call->invocation));
    if (!ran.ok() || !keep(call->outputs, ran->outputs)) return false;
    done_.plugins[node.name] = single.name;
    return true;
  }

  // Tells whether the plugin made every result that the call names.
  bool keep(const std::vector<std::vector<std::string>>& names, Ports& results) {
    for (size_t p = 0; p < names.size(); ++p) {
      if (p >= results.size() || results[p].size() < names[p].size()) return false;
    }
    for (size_t p = 0; p < names.size(); ++p) {
      for (size_t i = 0; i < names[p].size(); ++i)
        done_.tensors[names[p][i]] = std::move(results[p][i]);
    }
    return true;
  }

  // In double, rounded to the dtype: what a correct single op would store.
  Status by_interpreter(const Node& node) {
    std::vector<reference::RefTensor> values(node.inputs.size());
    std::vector<const reference::RefTensor*> operands;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      operands.push_back(node.inputs[i].empty() ? nullptr : &values[i]);
      if (node.inputs[i].empty()) continue;
      OPKIT_TRY(values[i], reference::from_tensor(done_.tensors.at(node.inputs[i])));
    }
    OPKIT_TRY(const std::vector<reference::RefTensor> results,
              reference::evaluate_node(node, operands, lowered_.graph.opset));
    for (size_t i = 0; i < results.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      OPKIT_TRY(done_.tensors[node.outputs[i]], reference::to_tensor(results[i]));
    }
    done_.plugins[node.name] = "";
    return {};
  }

  const LoweredReference& lowered_;
  const std::string& soc_;
  SingleOps& singles_;
  NodeByNode done_;
};

}  // namespace

Result<NodeByNode> run_node_by_node(const OpContract& contract, const Problem& problem,
                                    const Ports& inputs, SingleOps& singles) {
  if (contract.has_dynamic_inputs()) return cannot("the reference takes any number of tensors");
  OPKIT_TRY(
      const LoweredReference lowered,
      oracle::lowered_call({&contract, &inputs, problem.attrs, problem.symbols, problem.column}));
  return NodeWalk(lowered, problem.soc, singles).run(contract, inputs);
}

}  // namespace opkit::verify
