#include "opkit/model/export/chains.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "opkit/model/export/emit.h"

namespace opkit::model_export {
namespace {

using graph::Node;

double number(const Node& node, const std::string& name, double otherwise) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return otherwise;
  if (const double* value = std::get_if<double>(&found->second)) return *value;
  const int64_t* value = std::get_if<int64_t>(&found->second);
  return value == nullptr ? otherwise : static_cast<double>(*value);
}

bool is_tanh_gelu(const Node& node) {
  const auto found = node.attributes.find("approximate");
  if (found == node.attributes.end()) return false;
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr && *text == "tanh";
}

bool is_product(const Node& node) {
  return node.op_type == "Conv" || node.op_type == "MatMul" || node.op_type == "Gemm";
}

class ChainFinder {
 public:
  explicit ChainFinder(const ExportedProgram& program) : program_(program) {
    for (size_t i = 0; i < program.operations.size(); ++i) {
      for (const std::string& name : program.operations[i].node.inputs) readers_[name].push_back(i);
    }
    for (const ProgramEnd& end : program.outputs) given_.insert(end.value);
  }

  std::vector<OperationChain> run() {
    std::vector<OperationChain> chains;
    for (const bool products : {true, false}) {
      for (size_t i = 0; i < program_.operations.size(); ++i) {
        if (taken_.count(i) > 0 || is_product(node(i)) != products) continue;
        auto chain = products ? product(i) : follower_alone(i);
        if (!chain) continue;
        taken_.insert(chain->operations.begin(), chain->operations.end());
        chains.push_back(std::move(*chain));
      }
    }
    return chains;
  }

 private:
  const Node& node(size_t i) const { return program_.operations[i].node; }
  bool is_float(const std::string& name) const {
    return c_type(program_.values.at(name).dtype) == "float";
  }
  const Shape& shape(const std::string& name) const { return *program_.values.at(name).shape; }

  bool all_floats(const Node& node) const {
    for (const auto* names : {&node.inputs, &node.outputs}) {
      for (const std::string& name : *names) {
        if (!name.empty() && !is_float(name)) return false;
      }
    }
    return true;
  }

  std::optional<OperationChain> product(size_t i) {
    if (!all_floats(node(i))) return std::nullopt;
    OperationChain chain{{i}, "", {}, ""};
    const bool conv = node(i).op_type == "Conv";
    std::string value = node(i).outputs[0];
    while (extend(chain, value, conv)) {
    }
    return chain;
  }

  std::optional<OperationChain> follower_alone(size_t i) const {
    if (!all_floats(node(i)) || node(i).outputs.size() != 1) return std::nullopt;
    const size_t operands = std::min<size_t>(node(i).inputs.size(), 2);
    for (size_t operand = 0; operand < operands; ++operand) {
      const std::string& value = node(i).inputs[operand];
      if (value.empty() || shape(value) != shape(node(i).outputs[0])) continue;
      const auto follower = follower_of(i, value);
      if (follower) return OperationChain{{i}, "", {*follower}, value};
    }
    return std::nullopt;
  }

  // Adds what reads the value to the chain, and makes its result the value.
  bool extend(OperationChain& chain, std::string& value, bool conv) {
    if (given_.count(value) > 0 || program_.rounded.count(value) > 0) return false;
    const auto& readers = readers_[value];
    if (readers.size() == 2) return extend_gate(chain, value, readers);
    if (readers.size() != 1) return false;
    const size_t i = readers[0];
    if (taken_.count(i) > 0 || !all_floats(node(i)) || node(i).outputs.size() != 1) return false;
    auto follower = follower_of(i, value);
    if (!follower || shape(node(i).outputs[0]) != shape(value)) return false;
    if (!follower->operand.empty() && !fits(follower->operand, value, conv)) return false;
    const bool first = chain.operations.size() == 1 && node(chain.operations[0]).inputs.size() < 3;
    if (first && follower->what == "binary_add" && is_bias(follower->operand, value, conv))
      chain.bias = follower->operand;
    else
      chain.followers.push_back(*follower);
    chain.operations.push_back(i);
    value = node(i).outputs[0];
    return true;
  }

  // x times Sigmoid(x), or times HardSigmoid(x).
  bool extend_gate(OperationChain& chain, std::string& value, std::vector<size_t> readers) {
    std::sort(readers.begin(), readers.end());
    const Node &gate = node(readers[0]), &product = node(readers[1]);
    const bool hard = gate.op_type == "HardSigmoid" &&
                      std::abs(number(gate, "alpha", 0.2) * 6 - 1) < 1e-6 &&
                      number(gate, "beta", 0.5) == 0.5;
    if ((gate.op_type != "Sigmoid" && !hard) || product.op_type != "Mul") return false;
    const std::string& between = gate.outputs[0];
    if (readers_[between].size() != 1 || readers_[between][0] != readers[1] ||
        given_.count(between) > 0 || program_.rounded.count(between) > 0 || !all_floats(product))
      return false;
    chain.followers.push_back(
        {hard ? "eltwise_hardswish" : "eltwise_swish", hard ? 0.0 : 1.0, 0, ""});
    chain.operations.insert(chain.operations.end(), readers.begin(), readers.end());
    value = product.outputs[0];
    return true;
  }

  // Elements that are not in the value are those of one number, or of one for each channel.
  bool fits(const std::string& operand, const std::string& value, bool conv) const {
    return shape(operand) == shape(value) || shape(operand).elements() == 1 ||
           is_per_channel(shape(operand), shape(value), conv);
  }
  static bool is_per_channel(const Shape& operand, const Shape& value, bool conv) {
    const size_t channel = conv ? 1 : value.rank() - 1;
    if (operand.rank() > value.rank()) return false;
    const size_t missing = value.rank() - operand.rank();
    for (size_t d = 0; d < value.rank(); ++d) {
      const int64_t dim = d < missing ? 1 : operand[d - missing];
      if (dim != (d == channel ? value[d] : 1)) return false;
    }
    return true;
  }
  bool is_bias(const std::string& operand, const std::string& value, bool conv) const {
    return program_.values.at(operand).constant != nullptr &&
           is_per_channel(shape(operand), shape(value), conv);
  }

  std::optional<Follower> follower_of(size_t i, const std::string& value) const {
    const Node& node = program_.operations[i].node;
    const std::string& op = node.op_type;
    if (op == "Add" || op == "Sub" || op == "Mul" || op == "Sum") return arithmetic(node, value);
    if (node.inputs[0] != value) return std::nullopt;
    if (op == "Clip") return bounds(node);
    if (op == "LeakyRelu") return Follower{"eltwise_relu", number(node, "alpha", 0.01), 0, ""};
    if (op == "Elu") return Follower{"eltwise_elu", number(node, "alpha", 1), 0, ""};
    if (op == "Gelu")
      return Follower{is_tanh_gelu(node) ? "eltwise_gelu_tanh" : "eltwise_gelu_erf", 0, 0, ""};
    if (op == "Silu") return Follower{"eltwise_swish", 1, 0, ""};
    static const std::map<std::string, std::string> kFunctions = {
        {"Relu", "eltwise_relu"}, {"Sigmoid", "eltwise_logistic"},
        {"Tanh", "eltwise_tanh"}, {"HardSwish", "eltwise_hardswish"},
        {"Exp", "eltwise_exp"},   {"Sqrt", "eltwise_sqrt"},
        {"Abs", "eltwise_abs"}};
    const auto found = kFunctions.find(op);
    if (found == kFunctions.end()) return std::nullopt;
    return Follower{found->second, 0, 0, ""};
  }

  static std::optional<Follower> arithmetic(const Node& node, const std::string& value) {
    if (node.inputs.size() != 2 || node.inputs[0] == node.inputs[1]) return std::nullopt;
    const bool first = node.inputs[0] == value;
    if (node.op_type == "Sub" && !first) return std::nullopt;
    const std::string what = node.op_type == "Sub"   ? "binary_sub"
                             : node.op_type == "Mul" ? "binary_mul"
                                                     : "binary_add";
    return Follower{what, 0, 0, node.inputs[first ? 1 : 0]};
  }

  std::optional<Follower> bounds(const Node& node) const {
    double limits[2] = {number(node, "min", -INFINITY), number(node, "max", INFINITY)};
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      const auto& constant = program_.values.at(node.inputs[i]).constant;
      if (constant == nullptr || constant->values.size() != 1) return std::nullopt;
      limits[i - 1] = constant->values[0];
    }
    return Follower{"eltwise_clip", limits[0], limits[1], ""};
  }

  const ExportedProgram& program_;
  std::map<std::string, std::vector<size_t>> readers_;
  std::set<std::string> given_;
  std::set<size_t> taken_;
};

}  // namespace

std::vector<OperationChain> chains_of(const ExportedProgram& program) {
  return ChainFinder(program).run();
}

}  // namespace opkit::model_export
