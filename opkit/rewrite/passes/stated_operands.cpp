#include "opkit/rewrite/passes/stated_operands.h"

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

Integers whole(const std::vector<double>& values) {
  constexpr double kFar = 4611686018427387904.0;
  Integers numbers;
  for (const double value : values)
    numbers.push_back(static_cast<int64_t>(std::clamp(value, -kFar, kFar)));
  return numbers;
}

bool has_operand(const graph::Node& node, size_t operand) {
  return node.inputs.size() > operand && !node.inputs[operand].empty();
}

}  // namespace

std::optional<Integers> integers_of(const graph::Graph& graph, const graph::Node& node,
                                    size_t operand, const std::string& attribute,
                                    const std::optional<Integers>& otherwise) {
  const auto stated = node.attributes.find(attribute);
  if (has_operand(node, operand)) {
    const graph::RefTensor* constant = graph.constant(node.inputs[operand]);
    return constant ? std::optional(whole(constant->values)) : std::nullopt;
  }
  if (stated == node.attributes.end()) return otherwise;
  const auto* numbers = std::get_if<Integers>(&stated->second);
  return numbers ? std::optional(*numbers) : std::nullopt;
}

std::optional<Integers> from_front(Integers axes, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  for (int64_t& axis : axes) {
    if (axis < -count || axis >= count) return std::nullopt;
    axis += axis < 0 ? count : 0;
  }
  return axes;
}

size_t state_integers(graph::Graph& graph, graph::Node& node, size_t operand,
                      const std::string& name, const Integers& numbers) {
  graph::RefTensor tensor = whole_numbers(numbers);
  if (has_operand(node, operand)) {
    const graph::RefTensor* known = graph.constant(node.inputs[operand]);
    if (known && known->dtype == tensor.dtype && known->shape == tensor.shape &&
        known->values == tensor.values)
      return 0;
  }
  if (node.inputs.size() <= operand) node.inputs.resize(operand + 1);
  node.inputs[operand] = add_constant(graph, node.outputs[0] + "/" + name, std::move(tensor));
  return 1;
}

bool has_stated_window(const graph::Node& node) {
  if (text_of(node, "auto_pad") != "NOTSET") return false;
  const auto stated = {"pads", "strides", "dilations", "kernel_shape"};
  return std::all_of(stated.begin(), stated.end(),
                     [&](const char* name) { return node.attributes.count(name) > 0; });
}

size_t drop_attributes(graph::Node& node, std::initializer_list<const char*> names) {
  size_t dropped = 0;
  for (const char* name : names) dropped += node.attributes.erase(name);
  return dropped;
}

}  // namespace opkit::passes
