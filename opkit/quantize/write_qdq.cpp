#include "opkit/quantize/write_qdq.h"

#include <unordered_set>

#include "opkit/graph/node_name.h"
namespace opkit::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

RefTensor scalar(DType dtype, double value) { return {dtype, Shape{}, {value}}; }

class QdqWriter {
 public:
  QdqWriter(const Walk& walk, const Int8Model& quantization)
      : graph_(walk.graph()), quantization_(quantization) {
    for (const Node& node : graph_.nodes) {
      for (const std::string& output : node.outputs) taken_.insert(output);
    }
    for (const auto& [name, value] : graph_.values) taken_.insert(name);
    taken_.insert(graph_.inputs.begin(), graph_.inputs.end());
  }

  onnx_frontend::ModelEdit run() {
    for (const auto& [value, scale] : quantization_.scales) add_pair(value, scale);
    for (const QuantizedLayer& layer : quantization_.layers) change(layer);
    for (const size_t n : quantization_.region.between) change_between(graph_.nodes[n]);
    return std::move(edit_);
  }

 private:
  std::string fresh(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; !taken_.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }
  std::string constant(const std::string& wanted, RefTensor tensor) {
    const std::string name = fresh(wanted);
    edit_.constants.emplace_back(name, std::move(tensor));
    return name;
  }
  std::string node(const std::string& op, std::vector<std::string> inputs,
                   const std::string& result, std::optional<int64_t> axis = std::nullopt) {
    Node made{op, std::move(inputs), {fresh(result)}, {}, result + "_" + op};
    if (axis) made.attributes["axis"] = *axis;
    edit_.nodes.push_back(made);
    return edit_.nodes.back().outputs[0];
  }

  void add_pair(const std::string& value, const Scale& scale) {
    const std::string s = constant(value + "_scale", scalar(DType::kFloat32, scale.scale));
    const std::string z =
        constant(value + "_zero_point", scalar(DType::kInt8, static_cast<double>(scale.zero)));
    const std::string q = node("QuantizeLinear", {value, s, z}, value + "_quantized");
    replaced_[value] = node("DequantizeLinear", {q, s, z}, value + "_dequantized");
  }

  // Returns an int8 or int32 constant as the reals that it stands for.
  std::string dequantized(const std::string& stem, const RefTensor& values,
                          const std::vector<double>& scales, size_t axis) {
    const Shape shape = scales.size() == 1 && values.shape.rank() != 1
                            ? Shape{}
                            : Shape{static_cast<int64_t>(scales.size())};
    const std::string q = constant(stem + "_quantized", values);
    const std::string s = constant(stem + "_scale", {DType::kFloat32, shape, scales});
    const std::string z =
        constant(stem + "_zero_point", {values.dtype, shape, std::vector<double>(scales.size())});
    return node("DequantizeLinear", {q, s, z}, stem + "_dequantized",
                shape.rank() == 0 ? std::nullopt : std::optional(static_cast<int64_t>(axis)));
  }

  void change(const QuantizedLayer& one) {
    const Node& before = graph_.nodes[one.layer.node];
    onnx_frontend::NodeChange change{before.outputs[0], false, before.inputs, before.outputs};
    change.inputs[0] = replaced_.at(one.layer.data);
    // Weights that several layers share are quantized for each.
    const std::string stem = before.inputs[1];
    change.inputs[1] = dequantized(stem, one.weights.values, one.weights.scales, one.layer.axis);
    const bool whole = one.weights.bias.has_value();
    if (one.layer.sum != kNoNode) {
      change_sum(graph_.nodes[one.layer.sum], before.outputs[0], one.weights);
    } else if (one.layer.bias) {
      const std::string bias_stem = before.inputs.size() > 2 && !before.inputs[2].empty()
                                        ? before.inputs[2]
                                        : one.layer.result + "_bias";
      change.inputs.resize(3);
      change.inputs[2] = whole
                             ? dequantized(bias_stem, *one.weights.bias, one.weights.bias_scales, 0)
                             : constant(bias_stem + "_folded", *one.layer.bias);
    }
    if (one.layer.norm != kNoNode) {
      const Node& norm = graph_.nodes[one.layer.norm];
      edit_.changes.push_back({norm.outputs[0], true, {}, {}});
      change.outputs = {norm.outputs[0]};
    }
    edit_.changes.push_back(std::move(change));
  }

  void change_sum(const Node& sum, const std::string& product, const Int8Weights& weights) {
    if (!weights.bias) return;
    onnx_frontend::NodeChange change{sum.outputs[0], false, sum.inputs, sum.outputs};
    for (std::string& input : change.inputs) {
      if (input != product) input = dequantized(input, *weights.bias, weights.bias_scales, 0);
    }
    edit_.changes.push_back(std::move(change));
  }

  void change_between(const Node& node) {
    onnx_frontend::NodeChange change{node.outputs[0], false, node.inputs, node.outputs};
    for (std::string& input : change.inputs) {
      const auto found = replaced_.find(input);
      if (found != replaced_.end()) input = found->second;
    }
    edit_.changes.push_back(std::move(change));
  }

  const Graph& graph_;
  const Int8Model& quantization_;
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::string> replaced_;  // a value's name where it is read quantized
  onnx_frontend::ModelEdit edit_;
};

}  // namespace

onnx_frontend::ModelEdit qdq_edit(const Walk& walk, const Int8Model& quantization) {
  return QdqWriter(walk, quantization).run();
}

Result<std::string> written_model(std::string_view bytes, const Walk& walk,
                                  const Int8Model& quantization) {
  return onnx_frontend::edit_model(bytes, qdq_edit(walk, quantization));
}

}  // namespace opkit::quantize
