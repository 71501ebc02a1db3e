#include "symbolic.h"

#include <fmt/format.h>
#include <z3++.h>

#include <cmath>
#include <map>

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

struct Symbols {
  Shape shape;
  std::vector<z3::expr> values;
};

std::vector<int64_t> unravelled(const Shape& shape, int64_t flat) {
  std::vector<int64_t> index(shape.rank());
  for (size_t d = index.size(); d-- > 0; flat /= shape[d]) index[d] = flat % shape[d];
  return index;
}

int64_t flat_of(const Shape& shape, const std::vector<int64_t>& index) {
  int64_t flat = 0;
  for (size_t d = 0; d < index.size(); ++d) flat = flat * shape[d] + index[d];
  return flat;
}

// Written for these proofs alone; shares nothing with the interpreter or the rewrites.
class Evaluator {
 public:
  Evaluator(z3::context& context, const Graph& graph) : context_(context), graph_(graph) {}

  Symbols run() {
    for (const std::string& input : graph_.inputs) define_input(input);
    for (const auto& [name, value] : graph_.values) {
      if (value.constant == nullptr) continue;
      Symbols& symbols = symbols_[name];
      symbols.shape = value.constant->shape;
      for (const double v : value.constant->values) symbols.values.push_back(number(v));
    }
    for (const Node& node : graph_.nodes) symbols_[node.outputs[0]] = evaluate(node);
    return symbols_.at(graph_.outputs[0]);
  }

 private:
  void define_input(const std::string& input) {
    Symbols& symbols = symbols_[input];
    symbols.shape = *graph_.values.at(input).shape;
    for (int64_t i = 0; i < symbols.shape.elements(); ++i)
      symbols.values.push_back(context_.real_const(fmt::format("{}_{}", input, i).c_str()));
  }

  // Doubles are rational: the exact one, not the nearest decimal.
  z3::expr number(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    const auto whole = static_cast<int64_t>(std::ldexp(mantissa, 53));
    const z3::expr digits = context_.real_val(std::to_string(whole).c_str());
    z3::expr scale = context_.real_val(1);
    for (int i = 0; i < std::abs(exponent - 53); ++i) scale = scale * context_.real_val(2);
    return (exponent >= 53 ? digits * scale : digits / scale).simplify();
  }

  Symbols evaluate(const Node& node) {
    const Shape shape = *graph_.values.at(node.outputs[0]).shape;
    Symbols out{shape, {}};
    for (int64_t i = 0; i < shape.elements(); ++i)
      out.values.push_back(element(node, shape, unravelled(shape, i), i));
    return out;
  }

  const Symbols& operand(const Node& node, size_t i) const { return symbols_.at(node.inputs[i]); }

  z3::expr broadcast(const Symbols& from, const std::vector<int64_t>& index) const {
    std::vector<int64_t> own(index.end() - static_cast<int64_t>(from.shape.rank()), index.end());
    for (size_t d = 0; d < own.size(); ++d) own[d] = from.shape[d] == 1 ? 0 : own[d];
    return from.values[static_cast<size_t>(flat_of(from.shape, own))];
  }

  z3::expr element(const Node& node, const Shape& shape, const std::vector<int64_t>& at,
                   int64_t flat) {
    const std::string& op = node.op_type;
    if (op == "Reshape" || op == "Flatten" || op == "Identity")
      return operand(node, 0).values[static_cast<size_t>(flat)];
    if (op == "Relu") {
      const z3::expr x = operand(node, 0).values[static_cast<size_t>(flat)];
      return z3::ite(x > 0, x, context_.real_val(0));
    }
    if (op == "Transpose") return transposed(node, at);
    if (op == "Conv") return convolved(node, at);
    if (op == "Pad") return padded(node, at);
    if (op == "BatchNormalization") return normalized(node, shape, at);
    const z3::expr a = broadcast(operand(node, 0), at), b = broadcast(operand(node, 1), at);
    if (op == "Add") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Div") return a / b;
    throw std::runtime_error("no symbolic " + op);
  }

  z3::expr transposed(const Node& node, const std::vector<int64_t>& at) const {
    const auto& perm = std::get<std::vector<int64_t>>(node.attributes.at("perm"));
    const Symbols& x = operand(node, 0);
    std::vector<int64_t> from(at.size());
    for (size_t d = 0; d < at.size(); ++d) from[static_cast<size_t>(perm[d])] = at[d];
    return x.values[static_cast<size_t>(flat_of(x.shape, from))];
  }

  std::vector<int64_t> pads_of(const Node& node) const {
    const auto found = node.attributes.find("pads");
    return found == node.attributes.end() ? std::vector<int64_t>(4)
                                          : std::get<std::vector<int64_t>>(found->second);
  }

  // Two spatial dims, stride and dilation 1, one group.
  z3::expr convolved(const Node& node, const std::vector<int64_t>& at) {
    const Symbols &x = operand(node, 0), &w = operand(node, 1);
    const std::vector<int64_t> pads = pads_of(node);
    z3::expr sum = node.inputs.size() > 2 ? operand(node, 2).values[static_cast<size_t>(at[1])]
                                          : context_.real_val(0);
    for (int64_t i = 0; i < w.shape[1] * w.shape[2] * w.shape[3]; ++i) {
      const auto k = unravelled(Shape{w.shape[1], w.shape[2], w.shape[3]}, i);
      const int64_t row = at[2] + k[1] - pads[0], column = at[3] + k[2] - pads[1];
      if (row < 0 || column < 0 || row >= x.shape[2] || column >= x.shape[3]) continue;
      sum = sum + x.values[static_cast<size_t>(flat_of(x.shape, {at[0], k[0], row, column}))] *
                      w.values[static_cast<size_t>(flat_of(w.shape, {at[1], k[0], k[1], k[2]}))];
    }
    return sum;
  }

  z3::expr padded(const Node& node, const std::vector<int64_t>& at) {
    const Symbols& x = operand(node, 0);
    const graph::RefTensor& pads = *graph_.constant(node.inputs[1]);
    std::vector<int64_t> from;
    for (size_t d = 0; d < at.size(); ++d) {
      from.push_back(at[d] - static_cast<int64_t>(pads.values[d]));
      if (from[d] < 0 || from[d] >= x.shape[d]) return context_.real_val(0);
    }
    return x.values[static_cast<size_t>(flat_of(x.shape, from))];
  }

  z3::expr normalized(const Node& node, const Shape&, const std::vector<int64_t>& at) {
    const auto c = static_cast<size_t>(at[1]);
    const double epsilon = std::get<double>(node.attributes.at("epsilon"));
    const double variance = graph_.constant(node.inputs[4])->values[c];
    const double root = std::sqrt(variance + epsilon);
    if (root * root != variance + epsilon) throw std::runtime_error("no rational root");
    const z3::expr x = broadcast(operand(node, 0), at);
    return (x - operand(node, 3).values[c]) / number(root) * operand(node, 1).values[c] +
           operand(node, 2).values[c];
  }

  z3::context& context_;
  const Graph& graph_;
  std::map<std::string, Symbols> symbols_;
};

}  // namespace

std::string compared(const Graph& before, const Graph& after) {
  z3::context context;
  const Symbols a = Evaluator(context, before).run(), b = Evaluator(context, after).run();
  if (a.shape != b.shape) return "the shapes differ";
  z3::solver solver(context);
  z3::expr differs = context.bool_val(false);
  for (size_t i = 0; i < a.values.size(); ++i) differs = differs || a.values[i] != b.values[i];
  solver.add(differs);
  switch (solver.check()) {
    case z3::unsat: return "equal";
    case z3::sat: return fmt::format("they differ: {}", solver.get_model().to_string());
    case z3::unknown: break;
  }
  return "Z3 does not know: " + solver.reason_unknown();
}

}  // namespace opkit::passes
