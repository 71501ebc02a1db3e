// Conv, MatMul and Gemm of whole numbers with constant weights.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/quantized_nodes.h"
#include "opkit/rewrite/passes/turned.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

const std::vector<std::string> kOfWindows = {"Relu", "Sigmoid", "Tanh", "Silu"},
                               kOfMatrices = {"Relu", "Sigmoid", "Tanh", "Silu", "Gelu"};

Lowered stays(std::string why) { return {false, std::move(why)}; }

std::string bias_input(const Node& node) {
  return node.inputs.size() > 2 ? node.inputs[2] : std::string();
}

// Returns the elements of a bias with one for each channel, which are its last axis, one for all,
// or none.
std::optional<std::vector<double>> bias_of(const QuantizedModel& model, const std::string& value,
                                           size_t channels) {
  if (value.empty()) return std::vector<double>();
  auto floats = floats_of(model, value);
  if (!floats || floats->size() == 1) return floats;
  const Shape* shape = shape_of(model.graph, value);
  const bool fits = floats->size() == channels && shape != nullptr && shape->rank() > 0 &&
                    (*shape)[shape->rank() - 1] == static_cast<int64_t>(channels);
  return fits ? floats : std::nullopt;
}

std::vector<int64_t> integers_of(const Node& node, const char* attribute,
                                 std::vector<int64_t> otherwise) {
  const auto found = node.attributes.find(attribute);
  if (found == node.attributes.end()) return otherwise;
  const auto* values = std::get_if<std::vector<int64_t>>(&found->second);
  return values != nullptr ? *values : otherwise;
}

std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = reference::rounded_to(DType::kFloat32, value);
  return values;
}

// What a product and its finish have in common: from sums of int32 to the tail's result. `dims`:
// those of a list of channels as it meets the sums.
void finish_sums(WholeNodes& nodes, std::string sums, const Finish& finish, const Tail& tail,
                 size_t dims_behind) {
  const auto channels = static_cast<int64_t>(finish.bias.size());
  const auto scales = static_cast<int64_t>(finish.scale.size());
  const auto spread = [&](const std::string& from, int64_t count, const std::string& what) {
    if (dims_behind == 0) return from;
    std::vector<int64_t> dims = {count};
    dims.resize(1 + dims_behind, 1);
    return nodes.add("Reshape", {from, nodes.list(what + "_dims", dims)}, what);
  };
  const std::string bias = nodes.constant("bias", {DType::kInt32, Shape{channels}, finish.bias});
  const std::string scale =
      nodes.constant("scale", {DType::kFloat32, Shape{scales}, rounded(finish.scale)});
  sums = nodes.add("Add", {sums, spread(bias, channels, "addend")}, "sum");
  sums = nodes.floats(sums, "wide");
  sums = nodes.add("Mul", {sums, spread(scale, scales, "multiplier")}, "scaled");
  if (!tail.activation.empty())
    sums = nodes.add(tail.activation, {sums}, "bent", tail.attributes());
  if (tail.bends()) sums = nodes.add("Mul", {sums, nodes.number("factor", finish.factor)}, "steps");
  nodes.finish(sums, tail);
}

// Returns the sums of the weights of each channel, which lie along the axis.
std::vector<double> sums_along(const RefTensor& tensor, size_t axis) {
  int64_t inner = 1;
  for (size_t d = axis + 1; d < tensor.shape.rank(); ++d) inner *= tensor.shape[d];
  std::vector<double> sums(static_cast<size_t>(tensor.shape[axis]), 0.0);
  for (int64_t i = 0; i < tensor.elements(); ++i)
    sums[static_cast<size_t>(i / inner % tensor.shape[axis])] += tensor[i];
  return sums;
}

// Tells whether a product has anything of a quantised model: else nobody asks why it is none.
bool is_quantized(const QuantizedModel& model, const Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    const Node* from = model.definition(node.inputs[i]);
    if (from != nullptr && from->op_type == "DequantizeLinear") return true;
  }
  return false;
}

// The tail of a product; `why` says what keeps its result from being int8.
Tail product_tail(const QuantizedModel& model, const std::string& value,
                  const std::vector<std::string>& activations, std::string& why) {
  if (const auto tail = tail_of(model, value, activations, why)) return *tail;
  why +=
      ": its result is float16 where the model computes in it, else the product is one of floats";
  return half_tail_of(model, value, activations);
}

// The sums of a Conv. An op that gives int8 reads what stands outside the image; one that gives
// float16 has zeros there.
std::string windows(WholeNodes& nodes, const Node& node, const Whole& x, const Weights& w,
                    bool is_half) {
  std::map<std::string, graph::Attribute> attributes = {
      {"strides", integers_of(node, "strides", {1, 1})},
      {"dilations", integers_of(node, "dilations", {1, 1})}};
  const std::vector<int64_t> pads = integers_of(node, "pads", {0, 0, 0, 0});
  const bool is_bare = std::all_of(pads.begin(), pads.end(), [](int64_t pad) { return pad == 0; });
  std::string image = x.value;
  if (is_half && (x.zero == 0 || is_bare)) {
    attributes["pads"] = pads;
  } else {
    const std::string outside = nodes.constant("outside", {DType::kInt8, Shape{}, {x.zero}});
    image = nodes.add("Pad", {image, nodes.list("pads", pads), outside, nodes.list("axes", {2, 3})},
                      "padded");
  }
  return nodes.add("ConvInteger", {image, nodes.constant("weights", *w.numbers)}, "product",
                   std::move(attributes));
}

std::string no_whole(const std::string& value) {
  return fmt::format("its operand '{}' is no int8 with one scale behind a DequantizeLinear", value);
}

// Why a Conv cannot be one of whole numbers, or empty.
std::string refused(const Node& node, const Weights& w) {
  const auto groups = static_cast<int64_t>(number_of(node, "group", 1));
  if (text_of(node, "auto_pad", "NOTSET") != "NOTSET") return "its pads are not known";
  if (groups != 1)
    return fmt::format("it has {} groups, and no int8 kernel multiplies in groups", groups);
  if (w.numbers->shape.rank() != 4)
    return fmt::format("it has {} spatial dims: int8 kernels have 2",
                       w.numbers->shape.rank() < 2 ? 0 : w.numbers->shape.rank() - 2);
  if (w.scale.size() != 1 && w.axis != 0)
    return "its weights have scales along another axis than 0";
  return "";
}

// What an operator that is a product has besides its operands.
struct Layer {
  bool is_turned = false;
  double bias_factor = 1;
  std::string bias, result;  // where the bias is added
};

// Returns why not, or empty.
std::string read_gemm(const Node& node, Layer& layer) {
  if (number_of(node, "alpha", 1) != 1 || number_of(node, "transA", 0) != 0)
    return "it has an alpha or a transposed first operand: int8 kernels have neither";
  layer.is_turned = number_of(node, "transB", 0) != 0;
  layer.bias_factor = number_of(node, "beta", 1);
  layer.bias = bias_input(node);
  layer.result = node.outputs[0];
  return "";
}

// A MatMul's bias is an Add behind it.
void read_matmul(const QuantizedModel& model, const Node& node, Layer& layer) {
  layer.result = node.outputs[0];
  const Node* add = model.only_reader(node.outputs[0]);
  if (add == nullptr || add->op_type != "Add") return;
  const std::string& other = add->inputs[add->inputs[0] == node.outputs[0] ? 1 : 0];
  const auto floats = floats_of(model, other);
  const Shape *sum = shape_of(model.graph, add->outputs[0]),
              *product = shape_of(model.graph, node.outputs[0]);
  if (!floats || sum == nullptr || product == nullptr || *sum != *product) return;
  const int64_t columns = (*product)[product->rank() - 1];
  if (floats->size() != 1 && floats->size() != static_cast<size_t>(columns)) return;
  const Shape* shape = shape_of(model.graph, other);
  if (shape == nullptr || (floats->size() > 1 && (*shape)[shape->rank() - 1] != columns)) return;
  layer.bias = other;
  layer.result = add->outputs[0];
}

}  // namespace

std::optional<Lowered> lower_conv(const QuantizedModel& model, const Node& node, Graph& form) {
  if (node.op_type != "Conv" || !is_quantized(model, node)) return std::nullopt;
  std::string why;
  const auto x = whole_of(model, node.inputs[0]);
  if (!x) return stays(no_whole(node.inputs[0]));
  const auto w = weights_of(model, node.inputs[1], why);
  if (w) why = refused(node, *w);
  if (!w || !why.empty()) return stays(why);
  const std::vector<double> inside = sums_along(*w->numbers, 0);
  const auto bias = bias_of(model, bias_input(node), inside.size());
  if (!bias) return stays("its bias is computed");
  const Tail tail = product_tail(model, node.outputs[0], kOfWindows, why);
  const auto finish = finish_of(*x, *w, tail, *bias, inside, why);
  if (!finish) return stays(why);
  WholeNodes nodes(model, form, tail.result);
  const std::string sums = windows(nodes, node, *x, *w, tail.is_half);
  finish_sums(nodes, sums, *finish, tail, 2);
  return Lowered{!tail.is_half, why};
}

std::optional<Lowered> lower_product(const QuantizedModel& model, const Node& node, Graph& form) {
  const bool gemm = node.op_type == "Gemm";
  if ((!gemm && node.op_type != "MatMul") || !is_quantized(model, node)) return std::nullopt;
  Layer layer;
  std::string why;
  const auto x = whole_of(model, node.inputs[0]);
  if (!x) return stays(no_whole(node.inputs[0]));
  const auto w = weights_of(model, node.inputs[1], why);
  if (!w) return stays(why);
  if (w->numbers->shape.rank() != 2) return stays("its weights are no matrix");
  if (gemm) why = read_gemm(node, layer);
  if (!gemm) read_matmul(model, node, layer);
  if (!why.empty()) return stays(why);
  const size_t columns = layer.is_turned ? 0 : 1;
  if (w->scale.size() != 1 && static_cast<size_t>(w->axis) != columns)
    return stays("its weights have scales along the rows that are summed");
  const std::vector<double> inside = sums_along(*w->numbers, columns);
  auto bias = bias_of(model, layer.bias, inside.size());
  if (!bias) return stays("its bias is computed, or has a number for every row");
  for (double& value : *bias) value *= layer.bias_factor;
  const Tail tail = product_tail(model, layer.result, kOfMatrices, why);
  const auto finish = finish_of(*x, *w, tail, *bias, inside, why);
  if (!finish) return stays(why);
  WholeNodes nodes(model, form, tail.result);
  const std::string weights =
      nodes.constant("weights", layer.is_turned ? turned(*w->numbers) : *w->numbers);
  const std::string sums = nodes.add("MatMulInteger", {x->value, weights}, "product");
  finish_sums(nodes, sums, *finish, tail, 0);
  return Lowered{!tail.is_half, why};
}

}  // namespace opkit::passes
