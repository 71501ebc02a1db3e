#include "opkit/rewrite/passes/edit.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::passes {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

Uses::Uses(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (!output.empty()) definitions_[output] = &node;
    }
    for (const std::string& input : node.inputs) {
      if (!input.empty()) ++readers_[input];
    }
  }
  for (const std::string& output : graph.outputs) {
    ++readers_[output];
    outputs_[output] = true;
  }
}

const Node* Uses::definition(const std::string& value) const {
  const auto found = definitions_.find(value);
  return found == definitions_.end() ? nullptr : found->second;
}

size_t Uses::readers(const std::string& value) const {
  const auto found = readers_.find(value);
  return found == readers_.end() ? 0 : found->second;
}

bool Uses::is_output(const std::string& value) const { return outputs_.count(value) > 0; }

void Redirections::apply(Node& node) const {
  if (to_.empty()) return;
  for (std::string& input : node.inputs) {
    const auto found = to_.find(input);
    if (found != to_.end()) input = found->second;
  }
}

const Shape* shape_of(const Graph& graph, const std::string& value) {
  const auto found = graph.values.find(value);
  return found == graph.values.end() || !found->second.shape ? nullptr : &*found->second.shape;
}

DType dtype_of(const Graph& graph, const std::string& value) {
  const auto found = graph.values.find(value);
  return found == graph.values.end() ? DType::kUndefined : found->second.dtype;
}

std::string fresh_name(Graph& graph, const std::string& stem) {
  std::string name = stem;
  for (size_t i = 1; !graph.values.try_emplace(name).second; ++i)
    name = fmt::format("{}#{}", stem, i);
  return name;
}

std::string add_constant(Graph& graph, const std::string& stem, RefTensor tensor) {
  std::string name = fresh_name(graph, stem);
  graph.add_constant(name, std::move(tensor));
  return name;
}

std::string add_node(Graph& graph, const std::string& op_type, std::vector<std::string> inputs,
                     const std::string& stem, std::map<std::string, graph::Attribute> attributes) {
  std::string name = fresh_name(graph, stem);
  graph.nodes.push_back({op_type, std::move(inputs), {name}, std::move(attributes)});
  return name;
}

RefTensor whole_numbers(const std::vector<int64_t>& numbers) {
  return {DType::kInt64, Shape{static_cast<int64_t>(numbers.size())},
          std::vector<double>(numbers.begin(), numbers.end())};
}

std::string add_reshape(Graph& graph, const std::string& from, const std::string& stem,
                        const std::vector<int64_t>& dims) {
  std::string name = fresh_name(graph, stem);
  define_reshape(graph, from, name, dims);
  return name;
}

void define_reshape(Graph& graph, const std::string& from, const std::string& to,
                    const std::vector<int64_t>& dims) {
  const std::string target = add_constant(graph, to + "/shape", whole_numbers(dims));
  graph.nodes.push_back({"Reshape", {from, target}, {to}, {}});
}

const Shape* filled_shape_of(const Graph& graph, const std::string& value) {
  const Shape* shape = shape_of(graph, value);
  const bool filled = shape && std::all_of(shape->dims().begin(), shape->dims().end(),
                                           [](int64_t d) { return d > 0; });
  return filled ? shape : nullptr;
}

const std::string& result_of(const Node& node) {
  for (const std::string& output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.outputs[0];
}

std::string text_of(const Node& node, const std::string& attribute, const std::string& otherwise) {
  const auto found = node.attributes.find(attribute);
  return found == node.attributes.end() ? otherwise : std::get<std::string>(found->second);
}

double number_of(const Node& node, const std::string& attribute, double otherwise) {
  const auto found = node.attributes.find(attribute);
  if (found == node.attributes.end()) return otherwise;
  const auto* whole = std::get_if<int64_t>(&found->second);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(found->second);
}

std::optional<std::vector<double>> per_channel(const Graph& graph, const std::string& value,
                                               int64_t channels, size_t channel_dim, size_t rank) {
  const RefTensor* tensor = graph.constant(value);
  if (tensor == nullptr || tensor->shape.rank() > rank) return std::nullopt;
  if (tensor->elements() == 1)
    return std::vector<double>(static_cast<size_t>(channels), tensor->values[0]);
  // Every dim is 1 but the one that lies at the channels.
  const size_t skipped = rank - tensor->shape.rank();
  for (size_t d = 0; d < tensor->shape.rank(); ++d) {
    const int64_t wanted = d + skipped == channel_dim ? channels : 1;
    if (tensor->shape[d] != wanted) return std::nullopt;
  }
  if (tensor->elements() != channels) return std::nullopt;
  return tensor->values;
}

}  // namespace opkit::passes
