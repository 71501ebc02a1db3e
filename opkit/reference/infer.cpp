#include "opkit/reference/infer.h"

#include <algorithm>
#include <unordered_map>

#include "opkit/graph/bodies.h"
#include "opkit/reference/check_node.h"
#include "opkit/reference/control.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/opaque.h"

namespace opkit::reference {
namespace {

using graph::ValueInfo;

constexpr int64_t kMaxFolded = 4096;  // elements of a value that inference evaluates

bool is_small(const std::optional<Shape>& shape) {
  if (!shape) return false;
  const auto elements = shape->checked_elements();
  return elements.ok() && *elements <= kMaxFolded;
}

// What the operator's functions see: dtype and shape, and values where they are known.
class Operands {
 public:
  explicit Operands(const std::vector<const ValueInfo*>& inputs) : hollow_(inputs.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ValueInfo* value = inputs[i];
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

// Tells whether evaluating the node is cheap and needs no value that is not known.
bool can_fold(const Node& node, const Operands& operands, const std::vector<ValueInfo>& outputs) {
  const bool of_shape = node.op_type == "Shape" || node.op_type == "Size";
  if (of_shape) return operands.shapes_known();
  if (!operands.all_constant() || is_opaque(node.op_type)) return false;
  const auto small = [](const RefTensor* t) { return t == nullptr || t->elements() <= kMaxFolded; };
  return std::all_of(operands.tensors().begin(), operands.tensors().end(), small) &&
         std::all_of(outputs.begin(), outputs.end(),
                     [](const ValueInfo& value) { return is_small(value.shape); });
}

Status fold(const Operator& op, OperatorCall& call, std::vector<ValueInfo>& outputs) {
  OPKIT_TRY(Outputs computed, op.evaluate(call));
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i].constant = std::make_shared<const RefTensor>(std::move(computed[i]));
  return {};
}

enum class Nodes : uint8_t {
  kAll,
  kNew,  // leaves out nodes whose results the graph knows
};

// What nodes of a graph define, with the elements of what is small and has no input.
class Inference {
 public:
  explicit Inference(const graph::Graph& graph) : graph_(graph) {}

  Status run(Nodes which) {
    for (const Node& node : graph_.nodes) {
      std::vector<const ValueInfo*> inputs;
      for (const std::string& input : node.inputs)
        inputs.push_back(input.empty() ? nullptr : find(input));
      if (which == Nodes::kNew && are_known(node.outputs) && !gives_elements(node, inputs))
        continue;
      auto outputs = infer_node(node, inputs, graph_.opset);
      if (!outputs.ok()) return placed(std::move(outputs).error(), node);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i].empty()) made_[node.outputs[i]] = std::move((*outputs)[i]);
      }
    }
    return {};
  }

  const ValueInfo* find(const std::string& name) const {
    static const ValueInfo kNothing;
    const auto made = made_.find(name);
    if (made != made_.end()) return &made->second;
    const auto given = graph_.values.find(name);
    return given == graph_.values.end() ? &kNothing : &given->second;
  }

  std::unordered_map<std::string, ValueInfo> take() { return std::move(made_); }

 private:
  bool are_known(const std::vector<std::string>& names) const {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      if (name.empty()) return true;
      const auto value = graph_.values.find(name);
      return value != graph_.values.end() && value->second.dtype != DType::kUndefined &&
             value->second.shape && value->second.shape->is_static();
    });
  }

  // Tells whether somebody may ask for elements that inference would find.
  static bool gives_elements(const Node& node, const std::vector<const ValueInfo*>& inputs) {
    if (node.op_type == "Shape" || node.op_type == "Size") return true;
    return std::all_of(inputs.begin(), inputs.end(), [](const ValueInfo* input) {
      return input == nullptr || input->constant != nullptr;
    });
  }

  const graph::Graph& graph_;
  std::unordered_map<std::string, ValueInfo> made_;
};

Status infer(graph::Graph& graph, Nodes which) {
  Inference inference(graph);
  OPKIT_CHECK(inference.run(which));
  for (auto& [name, value] : inference.take()) {
    value.constant = nullptr;
    graph.values[name] = std::move(value);
  }
  return {};
}

}  // namespace

Result<std::vector<ValueInfo>> infer_node(const Node& node,
                                          const std::vector<const ValueInfo*>& inputs, int opset) {
  OPKIT_TRY(const Operator* op, operator_of(node));
  const Operands operands(inputs);
  OperatorCall call(node, op->attributes, operands.tensors(), opset);
  OPKIT_CHECK(check_node(call, *op, node));
  if (graph::has_bodies(node.op_type)) return infer_control(node, inputs, infer_outputs);
  std::vector<ValueInfo> outputs(node.outputs.size());
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

Status infer(graph::Graph& graph) { return infer(graph, Nodes::kAll); }

Status infer_new(graph::Graph& graph) { return infer(graph, Nodes::kNew); }

Result<std::vector<ValueInfo>> infer_outputs(graph::Graph& graph) {
  Inference inference(graph);
  OPKIT_CHECK(inference.run(Nodes::kAll));
  std::vector<ValueInfo> outputs;
  for (const std::string& name : graph.outputs) outputs.push_back(*inference.find(name));
  for (auto& [name, value] : inference.take()) {
    value.constant = nullptr;
    graph.values[name] = std::move(value);
  }
  return outputs;
}

Result<std::vector<std::shared_ptr<const RefTensor>>> known_values(
    const graph::Graph& graph, const std::vector<std::string>& names) {
  Inference inference(graph);
  OPKIT_CHECK(inference.run(Nodes::kAll));
  std::vector<std::shared_ptr<const RefTensor>> values;
  for (const std::string& name : names) values.push_back(inference.find(name)->constant);
  return values;
}

}  // namespace opkit::reference
