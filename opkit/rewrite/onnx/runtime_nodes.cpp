#include "opkit/rewrite/onnx/runtime_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "opkit/rewrite/onnx/refusals.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Attribute;
using graph::Graph;
using graph::Node;
using Names = std::vector<std::string>;
using Attributes = std::map<std::string, Attribute>;

constexpr int kSoftmaxOfOneAxis = 13;  // the first version of a Softmax that does not flatten

class Writer {
 public:
  Writer(Node node, Graph& graph) : node_(std::move(node)), graph_(graph) {}

  Result<std::vector<Node>> write();

 private:
  // Without those that say how a kernel of that runtime goes about it.
  Attributes kept(std::initializer_list<const char*> dropped) const {
    Attributes left = node_.attributes;
    for (const char* name : dropped) left.erase(name);
    return left;
  }
  std::string input(size_t i) const { return i < node_.inputs.size() ? node_.inputs[i] : ""; }
  const std::string& result() const { return node_.outputs[0]; }
  double number(const char* name, double otherwise) const;
  std::string named(const std::string& what) const { return result() + "/" + what; }

  std::string add(const std::string& op, Names inputs, const std::string& what,
                  Attributes attributes = {}) {
    nodes_.push_back({op, std::move(inputs), {named(what)}, std::move(attributes)});
    return nodes_.back().outputs[0];
  }
  void finish(const std::string& op, Names inputs, Attributes attributes = {}) {
    nodes_.push_back({op, std::move(inputs), {result()}, std::move(attributes)});
    nodes_.back().name = node_.name;
  }
  std::string constant(const std::string& what, double value) {
    graph_.add_constant(named(what), {DType::kFloat32, Shape{}, {value}});
    return named(what);
  }

  // The operand with its scale and zero point behind it, as floats.
  std::string floats(size_t operand, const std::string& what);
  // Quantises with the scale and the zero point that stand there.
  void quantise(const std::string& from, size_t scale);
  Status quantised(const std::string& op, size_t operands, Attributes attributes);
  Status softmax();
  Status concat();
  Status gemm();
  Status conv();
  Status gelu();
  Status norm();
  Error refused(const std::string& what) const {
    return unsupported(fmt::format("{} of {} has {}", node_.op_type, kRuntimeDomain, what),
                       "export the model without that runtime's own operators");
  }

  const Node node_;
  Graph& graph_;
  std::vector<Node> nodes_;
};

double Writer::number(const char* name, double otherwise) const {
  const auto found = node_.attributes.find(name);
  if (found == node_.attributes.end()) return otherwise;
  if (const auto* whole = std::get_if<int64_t>(&found->second)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&found->second);
  return real != nullptr ? *real : otherwise;
}

std::string Writer::floats(size_t operand, const std::string& what) {
  Names inputs = {input(operand), input(operand + 1)};
  if (!input(operand + 2).empty()) inputs.push_back(input(operand + 2));
  return add("DequantizeLinear", std::move(inputs), what);
}

void Writer::quantise(const std::string& from, size_t scale) {
  Names inputs = {from, input(scale)};
  if (!input(scale + 1).empty()) inputs.push_back(input(scale + 1));
  finish("QuantizeLinear", std::move(inputs));
}

Status Writer::quantised(const std::string& op, size_t operands, Attributes attributes) {
  if (number("channels_last", 0) != 0) return refused("its channels behind");
  Names reals;
  for (size_t i = 0; i < operands; ++i) reals.push_back(floats(3 * i, fmt::format("real{}", i)));
  quantise(add(op, std::move(reals), "real", std::move(attributes)), 3 * operands);
  return {};
}

// The operator states which version's Softmax it is.
Status Writer::softmax() {
  const bool flattens = number("opset", kSoftmaxOfOneAxis) < kSoftmaxOfOneAxis;
  if (flattens != (graph_.opset < kSoftmaxOfOneAxis))
    return refused(fmt::format("the opset {}, in a model of opset {}",
                               number("opset", kSoftmaxOfOneAxis), graph_.opset));
  return quantised("Softmax", 1, kept({"opset"}));
}

Status Writer::concat() {
  Names parts;
  for (size_t i = 2; i + 2 < node_.inputs.size(); i += 3)
    parts.push_back(floats(i, fmt::format("real{}", i / 3)));
  quantise(add("Concat", std::move(parts), "real", node_.attributes), 0);
  return {};
}

// The bias is in steps of a product.
Status Writer::gemm() {
  Names operands = {floats(0, "a"), floats(3, "b")};
  if (!input(6).empty()) {
    const std::string steps = add("Mul", {input(1), input(4)}, "steps");
    const std::string whole = add("Cast", {input(6)}, "whole", {{"to", int64_t{1}}});
    operands.push_back(add("Mul", {whole, steps}, "bias"));
  }
  if (input(7).empty()) return finish("Gemm", std::move(operands), node_.attributes), Status();
  quantise(add("Gemm", std::move(operands), "real", node_.attributes), 7);
  return {};
}

// A Conv with what is added to it and an activation behind that.
Status Writer::conv() {
  const auto stated = node_.attributes.find("activation");
  const auto* activation =
      stated == node_.attributes.end() ? nullptr : std::get_if<std::string>(&stated->second);
  const auto params = node_.attributes.find("activation_params");
  const auto* numbers = params == node_.attributes.end()
                            ? nullptr
                            : std::get_if<std::vector<double>>(&params->second);
  const auto param = [&](size_t i, double otherwise) {
    return numbers != nullptr && i < numbers->size() ? (*numbers)[i] : otherwise;
  };
  Names operands = {input(0), input(1)};
  if (!input(2).empty()) operands.push_back(input(2));
  std::string sums =
      add("Conv", std::move(operands), "conv", kept({"activation", "activation_params"}));
  if (!input(3).empty()) sums = add("Add", {sums, input(3)}, "sum");
  if (activation == nullptr || activation->empty()) return finish("Identity", {sums}), Status();
  if (*activation == "Relu" || *activation == "Sigmoid" || *activation == "Tanh")
    return finish(*activation, {sums}), Status();
  if (*activation == "LeakyRelu")
    return finish("LeakyRelu", {sums}, {{"alpha", param(0, 0.01)}}), Status();
  if (*activation == "HardSigmoid")
    return finish("HardSigmoid", {sums}, {{"alpha", param(0, 0.2)}, {"beta", param(1, 0.5)}}),
           Status();
  if (*activation != "Clip" || graph_.opset < 11) return refused("the activation " + *activation);
  const std::string low = constant("least", param(0, -3.4028234663852886e38)),
                    high = constant("most", param(1, 3.4028234663852886e38));
  finish("Clip", {sums, low, high});
  return {};
}

Status Writer::gelu() {
  std::string x = input(0);
  if (!input(1).empty()) x = add("Add", {x, input(1)}, "sum");
  if (node_.op_type == "QuickGelu") {
    const std::string scaled = add("Mul", {x, constant("alpha", number("alpha", 1.702))}, "scaled");
    return finish("Mul", {x, add("Sigmoid", {scaled}, "gate")}), Status();
  }
  const bool fast = node_.op_type == "FastGelu";
  finish("Gelu", {x}, fast ? Attributes{{"approximate", std::string("tanh")}} : Attributes());
  return {};
}

// A LayerNormalization of a sum, which may be a result, too.
Status Writer::norm() {
  const auto has = [&](size_t i) { return i < node_.outputs.size() && !node_.outputs[i].empty(); };
  if (has(1) || has(2)) return refused("its mean or deviation as a result");
  std::string sum = add("Add", {input(0), input(1)}, "sum");
  if (!input(4).empty()) sum = add("Add", {sum, input(4)}, "biased");
  if (has(3)) {
    nodes_.back().outputs[0] = node_.outputs[3];
    sum = node_.outputs[3];
  }
  Names operands = {sum, input(2)};
  if (!input(3).empty()) operands.push_back(input(3));
  finish("LayerNormalization", std::move(operands),
         {{"axis", int64_t{-1}}, {"epsilon", number("epsilon", 1e-12)}});
  return {};
}

Result<std::vector<Node>> Writer::write() {
  const std::string& op = node_.op_type;
  if (node_.outputs.empty() || result().empty()) return refused("no result");
  Status done;
  if (op == "QLinearConcat") {
    done = concat();
  } else if (op == "QLinearSoftmax") {
    done = softmax();
  } else if (op == "QLinearAdd" || op == "QLinearMul") {
    done = quantised(op.substr(7), 2, {});
  } else if (op == "QGemm") {
    done = gemm();
  } else if (op == "FusedConv") {
    done = conv();
  } else if (op == "SkipLayerNormalization") {
    done = norm();
  } else if (op.rfind("QLinear", 0) == 0) {
    done = quantised(op.substr(7), 1, kept({"channels_last"}));
  } else {
    done = gelu();
  }
  if (!done.ok()) return std::move(done).error();
  return std::move(nodes_);
}

}  // namespace

bool is_of_runtime(std::string_view op_type) {
  static constexpr std::array<std::string_view, 15> kOperators = {"BiasGelu",
                                                                  "FastGelu",
                                                                  "FusedConv",
                                                                  "Gelu",
                                                                  "QGemm",
                                                                  "QLinearAdd",
                                                                  "QLinearAveragePool",
                                                                  "QLinearConcat",
                                                                  "QLinearGlobalAveragePool",
                                                                  "QLinearLeakyRelu",
                                                                  "QLinearMul",
                                                                  "QLinearSigmoid",
                                                                  "QLinearSoftmax",
                                                                  "QuickGelu",
                                                                  "SkipLayerNormalization"};
  return std::find(kOperators.begin(), kOperators.end(), op_type) != kOperators.end();
}

Result<std::vector<Node>> runtime_nodes(Node node, Graph& graph) {
  return Writer(std::move(node), graph).write();
}

}  // namespace opkit::onnx_frontend
