#include "opkit/reference/infer.h"

#include <algorithm>
#include <map>

#include "opkit/reference/check_node.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/opaque.h"

namespace opkit::reference {
namespace {

using graph::Value;

constexpr int64_t kMaxFolded = 4096;  // elements of a value that inference evaluates

bool is_small(const std::optional<Shape>& shape) {
  if (!shape) return false;
  const auto elements = shape->checked_elements();
  return elements.ok() && *elements <= kMaxFolded;
}

// What the operator's functions see: dtype and shape, and values where they are known.
class Operands {
 public:
  explicit Operands(const std::vector<const Value*>& inputs) : hollow_(inputs.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Value* value = inputs[i];
      if (value == nullptr) {
        tensors_.push_back(nullptr);
      } else if (value->constant != nullptr) {
        tensors_.push_back(value->constant.get());
      } else {
        hollow_[i] = {value->dtype, value->shape.value_or(Shape()), {}};
        tensors_.push_back(&hollow_[i]);
        all_constant_ = false;
        types_known_ = types_known_ && value->dtype != DType::kUndefined;
        shapes_known_ = shapes_known_ && value->shape.has_value();
      }
    }
  }
  const std::vector<const RefTensor*>& tensors() const { return tensors_; }
  bool all_constant() const { return all_constant_; }
  bool types_known() const { return types_known_; }
  bool shapes_known() const { return shapes_known_; }

 private:
  std::vector<RefTensor> hollow_;
  std::vector<const RefTensor*> tensors_;
  bool all_constant_ = true, types_known_ = true, shapes_known_ = true;
};

// Whether evaluating the node is cheap and needs no value that is not known.
bool can_fold(const Node& node, const Operands& operands, const std::vector<Value>& outputs) {
  const bool of_shape = node.op_type == "Shape" || node.op_type == "Size";
  if (of_shape) return operands.shapes_known();
  if (!operands.all_constant() || is_opaque(node.op_type)) return false;
  const auto small = [](const RefTensor* t) { return t == nullptr || t->elements() <= kMaxFolded; };
  return std::all_of(operands.tensors().begin(), operands.tensors().end(), small) &&
         std::all_of(outputs.begin(), outputs.end(),
                     [](const Value& value) { return is_small(value.shape); });
}

Status fold(const Operator& op, Call& call, std::vector<Value>& outputs) {
  OPKIT_TRY(Outputs computed, op.evaluate(call));
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i].constant = std::make_shared<const RefTensor>(std::move(computed[i]));
  return {};
}

// Infers every name that the graph defines, with the elements of what is small and has no input.
Result<std::map<std::string, Value>> inferred_values(const graph::Graph& graph) {
  std::map<std::string, Value> known = graph.values;
  for (const Node& node : graph.nodes) {
    std::vector<const Value*> inputs;
    for (const std::string& input : node.inputs)
      inputs.push_back(input.empty() ? nullptr : &known[input]);
    auto outputs = infer_node(node, inputs, graph.opset);
    if (!outputs.ok()) return placed(std::move(outputs).error(), node);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].empty()) known[node.outputs[i]] = std::move((*outputs)[i]);
    }
  }
  return known;
}

}  // namespace

Result<std::vector<Value>> infer_node(const Node& node, const std::vector<const Value*>& inputs,
                                      int opset) {
  OPKIT_TRY(const Operator* op, operator_of(node));
  const Operands operands(inputs);
  Call call(node, op->attributes, operands.tensors(), opset);
  OPKIT_CHECK(check_node(call, *op, node));
  std::vector<Value> outputs(node.outputs.size());
  if (!operands.types_known()) return outputs;
  OPKIT_TRY(std::vector<Fact> facts, infer_facts(call, *op, operands.shapes_known()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].dtype = facts[i].dtype;
    outputs[i].shape = facts[i].shape;
  }
  if (!can_fold(node, operands, outputs)) return outputs;
  call.set_facts(std::move(facts));
  OPKIT_CHECK(fold(*op, call, outputs));
  return outputs;
}

Status infer(graph::Graph& graph) {
  OPKIT_TRY(const auto known, inferred_values(graph));
  for (const Node& node : graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      Value value = known.at(output);
      value.constant = nullptr;
      graph.values[output] = std::move(value);
    }
  }
  return {};
}

Result<std::shared_ptr<const RefTensor>> known_value(const graph::Graph& graph,
                                                     const std::string& name) {
  OPKIT_TRY(const auto known, inferred_values(graph));
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second.constant;
}

}  // namespace opkit::reference
