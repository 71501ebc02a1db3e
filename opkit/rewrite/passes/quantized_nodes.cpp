#include "opkit/rewrite/passes/quantized_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/whole_samples.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

const Node* QuantizedModel::definition(const std::string& value) const {
  const size_t n = readers.definition(value);
  return n < graph.nodes.size() ? &graph.nodes[n] : nullptr;
}

const Node* QuantizedModel::only_reader(const std::string& value) const {
  const std::vector<size_t>& all = readers.of(value);
  return all.size() == 1 && !readers.is_output(value) ? &graph.nodes[all[0]] : nullptr;
}

std::optional<Whole> whole_of(const QuantizedModel& model, const std::string& value) {
  const Node* node = model.definition(value);
  if (node == nullptr || node->op_type != "DequantizeLinear") return std::nullopt;
  if (dequantizes_constant(model.graph, *node)) return std::nullopt;
  const auto steps = steps_of(model.graph, *node);
  if (!steps || !steps->is_one() || steps->dtype != DType::kInt8) return std::nullopt;
  return Whole{node->inputs[0], steps->scale[0], steps->zero[0]};
}

std::optional<Weights> weights_of(const QuantizedModel& model, const std::string& value,
                                  std::string& why) {
  const Node* node = model.definition(value);
  if (node == nullptr || !dequantizes_constant(model.graph, *node)) {
    why = fmt::format("its weights '{}' are no constant behind a DequantizeLinear", value);
    return std::nullopt;
  }
  const auto steps = steps_of(model.graph, *node);
  const RefTensor* numbers = model.graph.constant(node->inputs[0]);
  if (!steps || numbers->dtype != DType::kInt8) {
    why = fmt::format("its weights '{}' are of {}, in scales that int8 kernels do not have", value,
                      name_of(numbers->dtype));
    return std::nullopt;
  }
  for (const double zero : steps->zero) {
    if (zero == 0) continue;
    why = fmt::format("its weights '{}' have the zero point {}: int8 kernels take 0 alone", value,
                      zero);
    return std::nullopt;
  }
  return Weights{numbers, steps->scale, steps->axis};
}

std::optional<std::vector<double>> floats_of(const QuantizedModel& model,
                                             const std::string& value) {
  if (const RefTensor* constant = model.graph.constant(value)) return constant->values;
  const Node* node = model.definition(value);
  if (node == nullptr || !dequantizes_constant(model.graph, *node)) return std::nullopt;
  const auto steps = steps_of(model.graph, *node);
  const RefTensor* numbers = model.graph.constant(node->inputs[0]);
  if (!steps || (!steps->is_one() && numbers->shape.rank() != 1)) return std::nullopt;
  std::vector<double> floats = numbers->values;
  for (size_t i = 0; i < floats.size(); ++i) {
    const size_t place = steps->is_one() ? 0 : i;
    floats[i] = (floats[i] - steps->zero[place]) * steps->scale[place];
  }
  return floats;
}

namespace {

// x * sigmoid(x): the product, where both alone read the value.
const Node* silu_behind(const QuantizedModel& model, const std::string& value) {
  const std::vector<size_t>& all = model.readers.of(value);
  if (all.size() != 2 || model.readers.is_output(value)) return nullptr;
  for (const size_t n : all) {
    const Node& sigmoid = model.graph.nodes[n];
    if (sigmoid.op_type != "Sigmoid") continue;
    const Node* product = model.only_reader(sigmoid.outputs[0]);
    const Node* other = &model.graph.nodes[all[0] == n ? all[1] : all[0]];
    if (product != nullptr && product == other && product->op_type == "Mul") return product;
  }
  return nullptr;
}

std::string reader_text(const QuantizedModel& model, const std::string& value) {
  if (model.readers.is_output(value)) return "is an output of the model";
  const std::vector<size_t>& all = model.readers.of(value);
  if (all.empty()) return "is read by nothing";
  std::string text = "is read by " + model.graph.nodes[all[0]].op_type;
  if (all.size() > 1) text += fmt::format(" and {} more", all.size() - 1);
  return text;
}

}  // namespace

namespace {

// Returns the Gelu that the readers of a value compute together, or that alone reads it.
std::optional<Node> gelu_behind(const QuantizedModel& model, const std::string& value) {
  const Node* reader = model.only_reader(value);
  if (reader != nullptr && reader->op_type == "Gelu") return *reader;
  if (model.readers.is_output(value)) return std::nullopt;
  auto whole = whole_function(model.graph, model.readers, value);
  if (!whole || whole->node.op_type != "Gelu") return std::nullopt;
  return std::move(whole->node);
}

// Begins a tail behind the value with the activation that alone reads it, where there is one, and
// moves the value behind that.
Tail take_activation(const QuantizedModel& model, std::string& at,
                     const std::vector<std::string>& activations) {
  const auto may = [&](const std::string& op) {
    return std::find(activations.begin(), activations.end(), op) != activations.end();
  };
  Tail tail;
  const Node* reader = model.only_reader(at);
  if (const Node* silu = silu_behind(model, at); silu != nullptr && may("Silu")) {
    tail.activation = "Silu";
    at = silu->outputs[0];
  } else if (const auto gelu = may("Gelu") ? gelu_behind(model, at) : std::nullopt) {
    tail.activation = "Gelu";
    tail.approximate = text_of(*gelu, "approximate", "none");
    at = gelu->outputs[0];
  } else if (reader != nullptr && may(reader->op_type)) {
    tail.activation = reader->op_type;
    at = reader->outputs[0];
  }
  return tail;
}

}  // namespace

std::map<std::string, graph::Attribute> Tail::attributes() const {
  if (approximate.empty()) return {};
  return {{"approximate", approximate}};
}

Tail half_tail_of(const QuantizedModel& model, const std::string& value,
                  const std::vector<std::string>& activations) {
  std::string at = value;
  Tail tail = take_activation(model, at, activations);
  tail.result = at + "/" + std::string(name_of(DType::kFloat16));
  tail.is_half = true;
  return tail;
}

std::optional<Tail> tail_of(const QuantizedModel& model, const std::string& value,
                            const std::vector<std::string>& activations, std::string& why) {
  std::string at = value;
  Tail tail = take_activation(model, at, activations);
  const Node* reader = model.only_reader(at);
  const auto steps = reader != nullptr && reader->op_type == "QuantizeLinear"
                         ? steps_of(model.graph, *reader)
                         : std::nullopt;
  if (!steps || !steps->is_one() || steps->dtype != DType::kInt8 || !(steps->scale[0] > 0)) {
    why = fmt::format("'{}' {}, and no QuantizeLinear to int8 with one scale alone", at,
                      reader_text(model, at));
    return std::nullopt;
  }
  tail.result = reader->outputs[0];
  tail.scale = steps->scale[0];
  tail.zero = steps->zero[0];
  return tail;
}

std::optional<Finish> finish_of(const Whole& x, const Weights& w, const Tail& tail,
                                const std::vector<double>& bias, const std::vector<double>& inside,
                                std::string& why) {
  constexpr double kMost = 1 << 30;  // int32 holds it beside the products
  Finish finish;
  finish.scale = w.scale;
  finish.bias.resize(inside.size());
  if (tail.bends()) finish.factor = 1 / tail.scale;
  for (size_t i = 0; i < inside.size(); ++i) {
    const double step = x.scale * w.scale[w.scale.size() == 1 ? 0 : i];
    const double real = bias.empty() ? 0 : bias[bias.size() == 1 ? 0 : i];
    finish.bias[i] = std::nearbyint(real / step) - x.zero * inside[i];
    if (std::abs(finish.bias[i]) < kMost) continue;
    why =
        fmt::format("its bias of channel {} is {:.3g} steps of its sums, which int32 does not hold",
                    i, finish.bias[i]);
    return std::nullopt;
  }
  for (double& scale : finish.scale) scale *= tail.bends() ? x.scale : x.scale / tail.scale;
  return finish;
}

std::string WholeNodes::named(const std::string& what) const {
  std::string name = stem_ + what;
  while (model_.graph.values.count(name) > 0 || graph_.values.count(name) > 0) name += "'";
  return name;
}

std::string WholeNodes::add(const std::string& op_type, std::vector<std::string> inputs,
                            const std::string& what,
                            std::map<std::string, graph::Attribute> attributes) {
  return add_node(graph_, op_type, std::move(inputs), named(what), std::move(attributes));
}

std::string WholeNodes::constant(const std::string& what, RefTensor tensor) {
  return add_constant(graph_, named(what), std::move(tensor));
}

std::string WholeNodes::number(const std::string& what, double value) {
  return constant(what,
                  {DType::kFloat32, Shape{}, {reference::rounded_to(DType::kFloat32, value)}});
}

std::string WholeNodes::list(const std::string& what, const std::vector<int64_t>& values) {
  return constant(what, whole_numbers(values));
}

std::string WholeNodes::floats(const std::string& from, const std::string& what) {
  return add("Cast", {from}, what, {{"to", std::string(name_of(DType::kFloat32))}});
}

void WholeNodes::finish(std::string value, const Tail& tail) {
  if (tail.is_half) {
    graph_.nodes.push_back(
        {"Cast", {value}, {tail.result}, {{"to", std::string(name_of(DType::kFloat16))}}});
    return;
  }
  value = add("Round", {value}, "rounded");
  const std::string offset = constant("offset", {DType::kInt8, Shape{}, {tail.zero}});
  value = add("Add", {value, floats(offset, "zero")}, "shifted");
  value = add("Clip", {value, number("lowest", -128), number("highest", 127)}, "near");
  graph_.nodes.push_back(
      {"Cast", {value}, {tail.result}, {{"to", std::string(name_of(DType::kInt8))}}});
}

}  // namespace opkit::passes
