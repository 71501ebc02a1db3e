#include "opkit/quantize/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "opkit/graph/node_name.h"
#include "opkit/quantize/codes.h"

namespace opkit::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

int64_t integer_of(const Node& node, const std::string& name, int64_t otherwise) {
  const auto found = node.attributes.find(name);
  const int64_t* value =
      found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return value == nullptr ? otherwise : *value;
}

double number_of(const Node& node, const std::string& name, double otherwise) {
  const auto found = node.attributes.find(name);
  const double* value =
      found == node.attributes.end() ? nullptr : std::get_if<double>(&found->second);
  return value == nullptr ? otherwise : *value;
}

bool are_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double one) { return std::isfinite(one); });
}

class LayerFinder {
 public:
  LayerFinder(const Walk& walk, const std::set<std::string>& of_file)
      : walk_(walk), graph_(walk.graph()), of_file_(of_file) {
    for (const Node& node : graph_.nodes) {
      ++names_[graph::name_of(node)];
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (const std::string& input : graph_.nodes[n].inputs) {
        ++readers_[input];
        reader_[input] = n;
      }
    }
    for (const std::string& output : graph_.outputs) ++readers_[output];
  }

  Result<Layers> run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (of_file_.count(node.outputs[0]) == 0)
        return Error(kCannotQuantize,
                     fmt::format("{} stands in a branch of an If, whose nodes are not changed",
                                 graph::name_of(node)),
                     "export the model without control flow");
      if (node.op_type == "QuantizeLinear" || node.op_type == "QLinearConv")
        return Error(kCannotQuantize,
                     fmt::format("the model is quantized already: {} is a {}", graph::name_of(node),
                                 node.op_type),
                     "give the float32 model");
      if (node.op_type == "Conv" || node.op_type == "Gemm" || node.op_type == "MatMul") take(n);
      if (node.op_type == "ConvTranspose" || node.op_type == "Einsum")
        leave(node, "has no int8 form");
    }
    if (found_.layers.empty()) return nothing();
    return std::move(found_);
  }

 private:
  Error nothing() const {
    const std::string why = found_.left_out.empty()
                                ? "it has no Conv, Gemm or MatMul"
                                : fmt::format("{} ({}) {}", found_.left_out[0].name,
                                              found_.left_out[0].op_type, found_.left_out[0].why);
    return Error(kNothing, "the model has nothing to quantize: " + why,
                 "give a float32 model with convolutions or matrix products of constant weights");
  }

  std::string layer_name(const Node& node) const {
    const std::string& name = graph::name_of(node);
    return names_.at(name) > 1 ? node.outputs[0] : name;
  }

  void leave(const Node& node, const std::string& why) {
    found_.left_out.push_back({layer_name(node), node.op_type, why});
  }

  void take(size_t n) {
    const Node& node = graph_.nodes[n];
    if (!walk_.depends_on_input(node.outputs[0])) return;
    const RefTensor* weights = node.inputs.size() > 1 ? walk_.constant(node.inputs[1]) : nullptr;
    if (weights == nullptr) return leave(node, "multiplies two activations");
    if (!walk_.depends_on_input(node.inputs[0])) return leave(node, "has its weights on the left");
    if (weights->dtype != DType::kFloat32) return leave(node, "has weights that are no float32");
    if (weights->elements() == 0) return leave(node, "has no weights");
    if (!are_finite(weights->values)) return leave(node, "has weights that are not finite");
    Layer layer;
    layer.name = layer_name(node);
    layer.op_type = node.op_type;
    layer.node = n;
    layer.data = node.inputs[0];
    layer.result = node.outputs[0];
    layer.weights = *weights;
    set_axis(node, layer);
    if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
      const RefTensor* bias = walk_.constant(node.inputs[2]);
      if (bias == nullptr) return leave(node, "adds a bias that is no constant");
      if (!are_finite(bias->values)) return leave(node, "has a bias that is not finite");
      if (is_per_channel(*bias, layer)) layer.bias = *bias;
    }
    if (node.op_type == "Conv") fold_norm(layer);
    if (node.op_type == "MatMul") take_sum(layer);
    found_.layers.push_back(std::move(layer));
  }

  static void set_axis(const Node& node, Layer& layer) {
    if (node.op_type == "Conv") return;
    const size_t rank = layer.weights.shape.rank();
    layer.per_channel = rank == 2;
    layer.axis = node.op_type == "Gemm" && integer_of(node, "transB", 0) != 0 ? 0 : 1;
  }

  static int64_t channels(const Layer& layer) {
    return layer.per_channel ? layer.weights.shape[layer.axis] : 0;
  }

  // A Gemm may add a column, too, which has as many elements where the result is square.
  static bool is_per_channel(const RefTensor& bias, const Layer& layer) {
    const size_t rank = bias.shape.rank();
    return bias.elements() == channels(layer) && rank > 0 &&
           bias.shape[rank - 1] == bias.elements();
  }

  // Returns the only reader of a value that is no output of the model.
  std::optional<size_t> only_reader(const std::string& value) const {
    const auto count = readers_.find(value), reader = reader_.find(value);
    if (count == readers_.end() || count->second != 1 || reader == reader_.end())
      return std::nullopt;
    return reader->second;
  }

  // y = (x - mean) / sqrt(variance + epsilon) * scale + shift, per channel. One whose folded
  // numbers are not finite, as of a variance below -epsilon, stays a node of its own.
  void fold_norm(Layer& layer) const {
    const auto reader = only_reader(layer.result);
    if (!reader) return;
    const Node& node = graph_.nodes[*reader];
    if (node.op_type != "BatchNormalization" || node.inputs.size() < 5 ||
        node.inputs[0] != layer.result || integer_of(node, "training_mode", 0) != 0)
      return;
    const RefTensor* parts[4];
    for (size_t i = 0; i < 4; ++i) {
      parts[i] = walk_.constant(node.inputs[i + 1]);
      if (parts[i] == nullptr || parts[i]->elements() != channels(layer)) return;
    }
    const double epsilon = number_of(node, "epsilon", 1e-5);
    const int64_t count = channels(layer), step = layer.weights.elements() / count;
    RefTensor weights = layer.weights;
    RefTensor bias = layer.bias.value_or(
        RefTensor{DType::kFloat32, Shape{count}, std::vector<double>(static_cast<size_t>(count))});
    for (int64_t c = 0; c < count; ++c) {
      const double factor = (*parts[0])[c] / std::sqrt((*parts[3])[c] + epsilon);
      for (int64_t i = c * step; i < (c + 1) * step; ++i)
        weights[i] = static_cast<float>(weights[i] * factor);
      bias[c] = static_cast<float>((bias[c] - (*parts[2])[c]) * factor + (*parts[1])[c]);
    }
    if (!are_finite(weights.values) || !are_finite(bias.values)) return;
    layer.weights = std::move(weights);
    layer.bias = std::move(bias);
    layer.norm = *reader;
    layer.result = node.outputs[0];
  }

  void take_sum(Layer& layer) const {
    const auto reader = only_reader(layer.result);
    if (!reader || !layer.per_channel) return;
    const Node& node = graph_.nodes[*reader];
    if (node.op_type != "Add") return;
    const size_t other = node.inputs[0] == layer.result ? 1 : 0;
    const RefTensor* bias = walk_.constant(node.inputs[other]);
    if (bias == nullptr || bias->dtype != DType::kFloat32 || bias->shape.rank() != 1 ||
        bias->elements() != channels(layer) || !are_finite(bias->values))
      return;
    layer.bias = *bias;
    layer.sum = *reader;
    layer.result = node.outputs[0];
  }

  const Walk& walk_;
  const Graph& graph_;
  const std::set<std::string>& of_file_;
  std::unordered_map<std::string, size_t> names_, readers_, reader_;
  Layers found_;
};

// How a node between layers computes in int8.
enum class Manner { kNone, kOwnScale, kOneScale, kActivation };

Manner manner_of(const Node& node) {
  static const std::map<std::string, Manner> kManners = {
      {"Add", Manner::kOwnScale},         {"Sum", Manner::kOwnScale},
      {"AveragePool", Manner::kOwnScale}, {"GlobalAveragePool", Manner::kOwnScale},
      {"MaxPool", Manner::kOneScale},     {"Concat", Manner::kOneScale},
      {"Reshape", Manner::kOneScale},     {"Flatten", Manner::kOneScale},
      {"Transpose", Manner::kOneScale},   {"Squeeze", Manner::kOneScale},
      {"Unsqueeze", Manner::kOneScale},   {"Relu", Manner::kActivation},
      {"Clip", Manner::kActivation},      {"LeakyRelu", Manner::kActivation},
      {"Max", Manner::kActivation},       {"Min", Manner::kActivation}};
  const auto found = kManners.find(node.op_type);
  return found == kManners.end() ? Manner::kNone : found->second;
}

class RegionFinder {
 public:
  RegionFinder(const Walk& walk, const std::vector<Layer>& layers) : walk_(walk), layers_(layers) {
    for (const Layer& layer : layers) results_.insert(layer.result);
    for (const Node& node : walk.graph().nodes) {
      for (const std::string& input : node.inputs) ++readers_[input];
    }
    for (const std::string& output : walk.graph().outputs) ++readers_[output];
    for (const Node& node : walk.graph().nodes) mark(node);
  }

  Int8Region run(Between between) {
    for (const Layer& layer : layers_) want(layer.data);
    while (between == Between::kChains && !open_.empty()) {
      const std::string value = open_.back();
      open_.pop_back();
      follow(value);
    }
    return numbered();
  }

 private:
  // Nodes are in order: what they read has been marked.
  void mark(const Node& node) {
    const Manner manner = manner_of(node);
    bool all = manner != Manner::kNone;
    for (const std::string& operand : operands(node)) all = all && comes_out_of_int8(operand);
    if (all && !operands(node).empty()) in_int8_.insert(node.outputs[0]);
  }
  bool comes_out_of_int8(const std::string& value) const {
    return results_.count(value) > 0 || in_int8_.count(value) > 0;
  }

  // Returns what it reads of the model's data: shapes, axes and bounds are constants beside them. A
  // maximum of two tensors is no activation.
  std::vector<std::string> operands(const Node& node) const {
    if (node.op_type == "Add" || node.op_type == "Sum" || node.op_type == "Concat")
      return node.inputs;
    std::vector<std::string> varying;
    for (const std::string& input : node.inputs) {
      if (walk_.depends_on_input(input)) varying.push_back(input);
    }
    return varying.size() == 1 ? varying : std::vector<std::string>();
  }

  void want(const std::string& value) {
    if (parent_.emplace(value, value).second) open_.push_back(value);
  }

  // Goes from a quantized value to what the node before it reads.
  void follow(const std::string& value) {
    const Node* node = walk_.maker(value);
    if (node == nullptr || results_.count(value) > 0 || in_int8_.count(value) == 0) return;
    if (manner_of(*node) == Manner::kActivation) {
      const std::string before = operands(*node)[0];
      const Node* maker = walk_.maker(before);
      // An activation is computed with the layer or the sum before it.
      if (maker == nullptr || readers_[before] != 1 || results_.count(before) > 0) return;
      node = maker;
      if (manner_of(*node) == Manner::kActivation || manner_of(*node) == Manner::kNone) return;
    }
    if (!between_.insert(node).second) return;
    const Manner manner = manner_of(*node);
    for (const std::string& operand : operands(*node)) {
      want(operand);
      if (manner == Manner::kOneScale && node->outputs[0] == value) join(operand, value);
      if (manner == Manner::kOneScale) join(operand, operands(*node)[0]);
    }
  }

  std::string root(std::string value) {
    while (parent_.at(value) != value) value = parent_.at(value);
    return value;
  }
  void join(const std::string& a, const std::string& b) {
    const std::string from = root(a), to = root(b);
    parent_[std::max(from, to)] = std::min(from, to);
  }

  Int8Region numbered() {
    Int8Region region;
    std::map<std::string, size_t> groups;
    for (const auto& [value, parent] : parent_)
      region.values[value] = groups.emplace(root(value), groups.size()).first->second;
    region.groups = groups.size();
    const auto& nodes = walk_.graph().nodes;
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (between_.count(&nodes[n]) > 0) region.between.push_back(n);
    }
    return region;
  }

  const Walk& walk_;
  const std::vector<Layer>& layers_;
  std::set<std::string> results_, in_int8_;
  std::unordered_map<std::string, size_t> readers_;
  std::map<std::string, std::string> parent_;
  std::vector<std::string> open_;
  std::set<const Node*> between_;
};

}  // namespace

std::vector<std::string> Layers::names() const {
  std::vector<std::string> all;
  for (const Layer& layer : layers) all.push_back(layer.name);
  return all;
}

Result<Layers> find_layers(const Walk& walk, const std::set<std::string>& of_file) {
  return LayerFinder(walk, of_file).run();
}

Int8Region find_region(const Walk& walk, const std::vector<Layer>& layers, Between between) {
  return RegionFinder(walk, layers).run(between);
}

}  // namespace opkit::quantize
