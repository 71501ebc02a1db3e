#include "opkit/verify/unfused/node_walk.h"

#include <fmt/format.h>

#include "opkit/contract/lower.h"
#include "opkit/reference/evaluate.h"
#include "opkit/verify/tolerance/evaluate_bounded.h"

namespace opkit::verify {
namespace {

using graph::Node;

Error cannot(std::string what) {
  return Error("OPK-VERIFY-070", std::move(what), "compare such an op by hand");
}

// Numbers become tensors of the other operand's shape: single ops take tensors.
std::vector<Tensor> spread(const std::vector<Tensor>& operands) {
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
  Status take(const Node& node) {
    if (node.outputs.size() == 1 && by_plugin(node)) return {};
    return by_interpreter(node);
  }

  // Whether a plugin computes the node for these dtypes and shapes.
  bool by_plugin(const Node& node) {
    const SingleOp* single = node.attributes.empty() ? singles_.find(node.op_type) : nullptr;
    if (single == nullptr || node.inputs.size() != single->contract->inputs.size()) return false;
    std::vector<Tensor> operands;
    for (const std::string& name : node.inputs) {
      if (name.empty()) return false;
      operands.push_back(done_.tensors.at(name));
    }
    Invocation call;
    call.contract = single->contract;
    call.soc = soc_;
    for (Tensor& operand : spread(operands)) {
      operand.desc().name = single->contract->inputs[call.inputs.size()].name;
      operand.desc().format = Format::kND;
      call.inputs.push_back({std::move(operand)});
    }
    auto ran = single->executor->run(std::move(call));
    if (!ran.ok() || ran->outputs.empty() || ran->outputs[0].empty()) return false;
    done_.plugins[node.name] = single->name;
    done_.tensors[node.outputs[0]] = std::move(ran->outputs[0][0]);
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
  OPKIT_TRY(const LoweredReference lowered,
            lowered_call({&contract, &inputs, problem.attrs, problem.symbols, problem.column}));
  return NodeWalk(lowered, problem.soc, singles).run(contract, inputs);
}

}  // namespace opkit::verify
