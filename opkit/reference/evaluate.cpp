#include "opkit/reference/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <unordered_map>

#include "opkit/graph/bodies.h"
#include "opkit/reference/check_node.h"
#include "opkit/reference/control.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

// A tensor built by hand may have values that match neither its shape nor its dtype.
Status check_input(const OperatorCall& call, size_t i) {
  const RefTensor& input = call.input(i);
  OPKIT_TRY(const int64_t elements, input.shape.checked_elements());
  if (elements != input.elements()) {
    return call.shape_error(fmt::format("input {} has shape {} but {} values", i,
                                        input.shape.to_string(), input.elements()));
  }
  if (is_float(input.dtype)) return {};
  for (double value : input.values) {
    if (is_value_of(input.dtype, value)) continue;
    return call.error(
        kInexactInteger,
        fmt::format("input {} of dtype {} has the value {}", i, name_of(input.dtype), value),
        "use integers up to 2^53 that fit the dtype");
  }
  return {};
}

Status check_inputs(const OperatorCall& call) {
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (call.has_input(i)) OPKIT_CHECK(check_input(call, i));
  }
  return {};
}

// Checks outputs: what an operator computed must be a value of the output's dtype: a real bound on
// integers, a sum of bools or the extreme of no int64s is none.
Status check_outputs(const OperatorCall& call, const Outputs& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (is_float(outputs[i].dtype)) continue;
    for (double value : outputs[i].values) {
      if (is_value_of(outputs[i].dtype, value)) continue;
      return call.error(
          kUndefinedResult,
          fmt::format("output {} of dtype {} would have the value {}", i, name_of(outputs[i].dtype),
                      value),
          "cast the inputs to a type that holds the result, or correct the attributes");
    }
  }
  return {};
}

// Moves what depends on the inputs' elements.
class Noise {
 public:
  Noise(const Graph& graph, const EvaluateOptions& options)
      : share_(options.noise),
        moved_(graph.inputs.begin(), graph.inputs.end()),
        random_(kSeed + options.draw) {}

  void add(const Node& node, std::vector<RefTensor>& outputs) {
    const bool of_shape = node.op_type == "Shape" || node.op_type == "Size";
    const bool depends =
        !of_shape && std::any_of(node.inputs.begin(), node.inputs.end(),
                                 [&](const std::string& name) { return moved_.count(name) > 0; });
    if (share_ == 0 || !depends) return;
    moved_.insert(node.outputs.begin(), node.outputs.end());
    moved_.erase("");
    const Operator* op = find_operator(node.op_type);
    const double offset = op != nullptr ? share_ * op->bound.absolute / kUnits : 0;
    for (RefTensor& output : outputs) {
      if (!is_float(output.dtype)) continue;
      for (double& value : output.values) {
        value *= 1 + share_ * number_(random_);
        if (offset > 0) value += offset * number_(random_);
      }
    }
  }

 private:
  static constexpr uint32_t kSeed = 11;
  static constexpr double kUnits = 4;  // counts units in the last place that a share stands for

  const double share_;
  std::set<std::string> moved_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> number_{-1, 1};
};

void round_values(RefTensor& tensor) {
  for (double& value : tensor.values) value = rounded_to(tensor.dtype, value);
}

// The values of a graph while it is evaluated; one that nobody reads any more is dropped.
class KnownValues {
 public:
  KnownValues(const Graph& graph, const NamedTensors& inputs) : graph_(graph), inputs_(inputs) {
    for (const Node& node : graph.nodes) {
      for (const std::string& input : node.inputs) ++readers_[input];
    }
    for (const std::string& output : graph.outputs) ++readers_[output];
  }

  // Null when it has none.
  const RefTensor* find(const std::string& name) const {
    const auto made = made_.find(name);
    if (made != made_.end()) return &made->second;
    const auto given = inputs_.find(name);
    return given != inputs_.end() ? &given->second : graph_.constant(name);
  }
  std::vector<const RefTensor*> operands(const Node& node) const {
    std::vector<const RefTensor*> found;
    for (const std::string& name : node.inputs)
      found.push_back(name.empty() ? nullptr : find(name));
    return found;
  }
  void define(const Node& node, std::vector<RefTensor> outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (readers_.count(node.outputs[i]) > 0 && !node.outputs[i].empty())
        made_.emplace(node.outputs[i], std::move(outputs[i]));
    }
    for (const std::string& input : node.inputs) {
      if (--readers_[input] == 0) made_.erase(input);
    }
  }

 private:
  const Graph& graph_;
  const NamedTensors& inputs_;
  NamedTensors made_;
  std::map<std::string, size_t> readers_;
};

// The nodes in an order of evaluation in which those that depend on no input stand directly before
// the first that reads them: weights that a model computes are not all there at once.
class LateOrder {
 public:
  explicit LateOrder(const Graph& graph) : graph_(graph), waits_(graph.nodes.size()) {}

  std::vector<size_t> run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      waits_[n] = is_constant(graph_.nodes[n]);
      for (const std::string& output : graph_.nodes[n].outputs) {
        if (waits_[n] && !output.empty()) maker_.emplace(output, n);
      }
      if (!waits_[n]) add(n);
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (waits_[n]) add(n);
    }
    return std::move(order_);
  }

 private:
  bool is_constant(const Node& node) const {
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
      return name.empty() || maker_.count(name) > 0 || graph_.constant(name) != nullptr;
    });
  }

  // Adds a node with whatever it waits for, which comes before it in the graph, too.
  void add(size_t node) {
    std::vector<size_t> open = {node};
    std::set<size_t> found = {node};
    while (!open.empty()) {
      const Node& one = graph_.nodes[open.back()];
      open.pop_back();
      for (const std::string& name : one.inputs) {
        const auto maker = maker_.find(name);
        if (maker != maker_.end() && waits_[maker->second] && found.insert(maker->second).second)
          open.push_back(maker->second);
      }
    }
    for (const size_t n : found) {
      waits_[n] = false;
      order_.push_back(n);
    }
  }

  const Graph& graph_;
  std::vector<bool> waits_;
  std::unordered_map<std::string, size_t> maker_;  // holds makers of what depends on no input
  std::vector<size_t> order_;
};

Status check_given(const Graph& graph, const NamedTensors& inputs) {
  for (const std::string& name : graph.inputs) {
    const auto given = inputs.find(name);
    if (given == inputs.end())
      return Error(graph::kUndefinedName, fmt::format("input '{}' is not given", name),
                   "give every input of the graph");
    const auto stated = graph.values.find(name);
    if (stated == graph.values.end()) continue;
    const graph::ValueInfo& value = stated->second;
    const bool same_dtype = value.dtype == DType::kUndefined || value.dtype == given->second.dtype;
    if (same_dtype && (!value.shape || *value.shape == given->second.shape)) continue;
    return Error(kBadShape,
                 fmt::format("input '{}' is {}{}, not {}{}", name, name_of(given->second.dtype),
                             given->second.shape.to_string(), name_of(value.dtype),
                             value.shape ? value.shape->to_string() : "[...]"),
                 "give the input as the graph states it");
  }
  return {};
}

}  // namespace

Result<std::vector<RefTensor>> evaluate_node(const Node& node,
                                             const std::vector<const RefTensor*>& inputs, int opset,
                                             const EvaluateOptions& options) {
  OPKIT_TRY(const Operator* op, operator_of(node));
  OperatorCall call(node, op->attributes, inputs, opset);
  OPKIT_CHECK(check_node(call, *op, node));
  OPKIT_CHECK(check_inputs(call));
  if (graph::has_bodies(node.op_type)) {
    return evaluate_control(node, inputs, [&](const Graph& body, const NamedTensors& operands) {
      return evaluate(body, operands, options);
    });
  }
  OPKIT_TRY(std::vector<Fact> facts, infer_facts(call, *op, true));
  call.set_facts(std::move(facts));
  OPKIT_TRY(Outputs outputs, op->evaluate(call));
  outputs.resize(node.outputs.size());
  OPKIT_CHECK(check_outputs(call, outputs));
  if (options.precision == Precision::kRounded) {
    for (RefTensor& output : outputs) round_values(output);
  }
  return outputs;
}

Result<NamedTensors> evaluate(const Graph& graph, const NamedTensors& inputs,
                              const EvaluateOptions& options) {
  OPKIT_CHECK(validate(graph));
  OPKIT_CHECK(check_given(graph, inputs));
  KnownValues values(graph, inputs);
  Noise noise(graph, options);
  for (const size_t n : LateOrder(graph).run()) {
    const Node& node = graph.nodes[n];
    auto outputs = evaluate_node(node, values.operands(node), graph.opset, options);
    if (!outputs.ok()) return placed(std::move(outputs).error(), node);
    noise.add(node, *outputs);
    values.define(node, std::move(outputs).value());
  }
  NamedTensors wanted;
  for (const std::string& name : graph.outputs) wanted.emplace(name, *values.find(name));
  return wanted;
}

}  // namespace opkit::reference
