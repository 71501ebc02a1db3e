#include "opkit/rewrite/match/expressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/reference/operators.h"
#include "opkit/rewrite/match/commutative.h"

namespace opkit::match {
namespace {

using graph::Graph;
using graph::Node;

const Node* definition(const Graph& graph, const std::string& value, size_t& output) {
  for (const Node& node : graph.nodes) {
    const auto found = std::find(node.outputs.begin(), node.outputs.end(), value);
    if (found == node.outputs.end()) continue;
    output = static_cast<size_t>(found - node.outputs.begin());
    return &node;
  }
  return nullptr;
}

std::string attribute_text(const graph::Attribute& attribute);

template <typename T>
std::string listed(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += attribute_text(value) + ",";
  return text + "]";
}

struct ToText {
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  // Attributes of models are float32.
  std::string operator()(double value) const {
    return fmt::format("{}f", static_cast<float>(value));
  }
  std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    return listed(values);
  }
  std::string operator()(const graph::RefTensor& tensor) const { return listed(tensor.values); }
};

std::string attribute_text(const graph::Attribute& attribute) {
  return std::visit(ToText(), attribute);
}

std::string node_text(const Node& node) {
  std::string text = node.op_type;
  if (node.attributes.empty()) return text;
  text += " {";
  for (const auto& [name, value] : node.attributes)
    text += fmt::format("{}{}={}", text.back() == '{' ? "" : ", ", name, attribute_text(value));
  return text + "}";
}

}  // namespace

size_t Expressions::number(std::string key, std::string text, std::vector<size_t> operands) {
  const auto [place, fresh] = numbers_.emplace(std::move(key), texts_.size());
  if (fresh) {
    texts_.push_back(std::move(text));
    operands_.push_back(std::move(operands));
  }
  return place->second;
}

size_t Expressions::of_constant(const graph::RefTensor& tensor, bool any_rank) {
  const bool scalar = any_rank && tensor.elements() == 1;
  std::string text =
      fmt::format("{}{} ", name_of(tensor.dtype), scalar ? "" : tensor.shape.to_string());
  text += listed(tensor.values);
  return number("constant " + text, text, {});
}

size_t Expressions::of(const Graph& graph, const std::map<std::string, std::string>& leaves,
                       const std::string& value) {
  const auto leaf = leaves.find(value);
  if (leaf != leaves.end())
    return number("value " + leaf->second, fmt::format("'{}'", leaf->second), {});
  if (value.empty()) return number("nothing", "nothing", {});
  if (const graph::RefTensor* constant = graph.constant(value))
    return of_constant(*constant, false);
  size_t output = 0;
  const Node* node = definition(graph, value, output);
  if (!node) return number("unknown " + value, value, {});
  const reference::Operator* op = reference::find_operator(node->op_type);
  const bool broadcasts = op && op->reach == reference::Reach::kElement;
  std::vector<size_t> operands;
  for (const std::string& input : node->inputs) {
    const graph::RefTensor* constant = leaves.count(input) ? nullptr : graph.constant(input);
    operands.push_back(constant ? of_constant(*constant, broadcasts) : of(graph, leaves, input));
  }
  while (!operands.empty() && texts_[operands.back()] == "nothing") operands.pop_back();
  if (is_commutative(node->op_type)) std::sort(operands.begin(), operands.end());
  const std::string text = node_text(*node);
  return number(fmt::format("{}.{} ({})", text, output, fmt::join(operands, ",")), text, operands);
}

}  // namespace opkit::match
