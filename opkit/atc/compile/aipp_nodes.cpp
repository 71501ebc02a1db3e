#include "opkit/atc/compile/aipp_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/reference/infer.h"

namespace opkit::compile {

using graph::Node;

AippNodes::AippNodes(graph::Graph& graph, std::string input)
    : graph_(graph), input_(std::move(input)), rest_(std::move(graph.nodes)) {
  graph_.nodes.clear();
}

void AippNodes::take_bytes(Shape shape) {
  graph::ValueInfo& value = graph_.values[input_];
  value = {};
  value.dtype = DType::kUInt8;
  value.shape = std::move(shape);
}

std::string AippNodes::fresh() {
  std::string name;
  do {
    name = fmt::format("{}/aipp{}", input_, count_++);
  } while (graph_.values.count(name) > 0 || is_defined(name));
  return name;
}

bool AippNodes::is_defined(const std::string& name) const {
  return std::any_of(rest_.begin(), rest_.end(), [&](const Node& node) {
    return std::count(node.outputs.begin(), node.outputs.end(), name) > 0;
  });
}

std::string AippNodes::constant(DType dtype, Shape shape, const std::vector<double>& values) {
  const std::string name = fresh();
  graph_.add_constant(name, graph::RefTensor{dtype, std::move(shape), values});
  return name;
}

std::string AippNodes::integers(const std::vector<int64_t>& values) {
  return constant(DType::kInt64, Shape{static_cast<int64_t>(values.size())},
                  {values.begin(), values.end()});
}

std::string AippNodes::number(double value) { return constant(DType::kFloat32, {}, {value}); }

std::string AippNodes::add(const std::string& op, const std::vector<std::string>& inputs,
                           std::map<std::string, graph::Attribute> attributes) {
  const std::string name = fresh();
  graph_.nodes.push_back({op, inputs, {name}, std::move(attributes), name, {}});
  return name;
}

std::string AippNodes::cast(const std::string& value, DType to) {
  return add("Cast", {value}, {{"to", std::string(name_of(to))}});
}

std::string AippNodes::reshape(const std::string& value, const std::vector<int64_t>& dims) {
  return add("Reshape", {value, integers(dims)});
}

std::string AippNodes::slice(const std::string& value, const std::vector<int64_t>& begin,
                             const std::vector<int64_t>& end, const std::vector<int64_t>& axes) {
  return add("Slice", {value, integers(begin), integers(end), integers(axes)});
}

Status AippNodes::hand_over(std::string value, DType dtype) {
  if (dtype != DType::kFloat32) value = cast(value, dtype);
  for (Node& node : rest_) std::replace(node.inputs.begin(), node.inputs.end(), input_, value);
  std::replace(graph_.outputs.begin(), graph_.outputs.end(), input_, value);
  for (Node& node : rest_) graph_.nodes.push_back(std::move(node));
  return reference::infer(graph_);
}

}  // namespace opkit::compile
