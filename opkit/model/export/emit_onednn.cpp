#include "opkit/model/export/emit_onednn.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/model/export/strides.h"
#include "opkit/model/export/window_of.h"

namespace opkit::model_export {
namespace {

std::string tensor_code(const Variable& variable, const Strides& dims, const Strides& steps = {}) {
  if (variable.absent()) return "Tensor{}";
  if (steps.empty()) return fmt::format("tensor({}, {{{}}})", variable.name, fmt::join(dims, ", "));
  return fmt::format("tensor({}, {{{}}}, {{{}}})", variable.name, fmt::join(dims, ", "),
                     fmt::join(steps, ", "));
}
std::string tensor_code(const Variable& variable) {
  return tensor_code(variable, variable.shape.dims());
}

// Rows of a line are images of one row.
Strides as_image(Strides dims) {
  if (dims.size() == 3) dims.insert(dims.begin() + 2, 1);
  return dims;
}

// How a product and what follows it see the value.
struct Seen {
  Strides dims;
  size_t channel = 0;
};

class StepWriter {
 public:
  explicit StepWriter(const StepsOf& steps) : steps_(steps) {}

  std::string of(const OperationChain& chain) const {
    const size_t first = chain.operations[0];
    const NodeSource node = source(first);
    if (node.op() == "Conv") return conv(node, chain);
    if (node.op() == "MatMul") return matmul(node, chain);
    if (node.op() == "Gemm") return gemm(node, chain);
    return alone(node, chain);
  }

  std::string of(size_t operation) const {
    const NodeSource node = source(operation);
    for (size_t i = 0; i < node.inputs(); ++i) {
      if (node.has(i) && c_type(node.in(i).dtype) != "float") return {};
    }
    if (c_type(node.out().dtype) != "float" || node.in().shape.rank() == 0) return {};
    if (node.op() == "MaxPool" || node.op() == "AveragePool") return pool(node);
    if (node.op() == "GlobalAveragePool") return global_pool(node);
    if (node.op() == "Softmax") return softmax(node);
    if (node.op() == "LayerNormalization") return layer_norm(node);
    if (node.op() == "Concat") return join(node);
    if (node.op() == "Transpose") return turn(node);
    return {};
  }

 private:
  Variable variable(const std::string& name) const { return steps_.variable(name); }

  NodeSource source(size_t i) const {
    const Operation& operation = steps_.program.operations[i];
    std::vector<Variable> in, out;
    for (const std::string& name : operation.node.inputs) in.push_back(variable(name));
    for (const std::string& name : operation.node.outputs) out.push_back(variable(name));
    return NodeSource(operation.node, operation.opset, std::move(in), std::move(out));
  }
  Variable result_of(const OperationChain& chain) const {
    return variable(steps_.program.operations[chain.last()].node.outputs[0]);
  }

  std::string followers(const OperationChain& chain, const Shape& value, const Seen& seen) const {
    std::vector<std::string> all;
    for (const Follower& one : chain.followers) {
      std::string text = fmt::format("{{algorithm::{}, {}, {}", one.what, float_code(one.alpha),
                                     float_code(one.beta));
      if (!one.operand.empty()) {
        const Variable operand = variable(one.operand);
        Strides dims = seen.dims;
        if (operand.shape != value) {
          dims.assign(seen.dims.size(), 1);
          if (operand.shape.elements() != 1) dims[seen.channel] = seen.dims[seen.channel];
        }
        text += fmt::format(", {}, {}", tensor_code(operand, dims),
                            steps_.is_last(one.operand, chain.last()));
      }
      all.push_back(text + "}");
    }
    return fmt::format("{{{}}}", fmt::join(all, ", "));
  }

  // One number for each channel, as an operand of the product or behind it.
  Variable bias_of(const NodeSource& node, const OperationChain& chain) const {
    if (!chain.bias.empty()) return variable(chain.bias);
    return node.has(2) ? node.in(2) : Variable{};
  }

  std::string conv(const NodeSource& node, const OperationChain& chain) const {
    const Strides weights = node.in(1).shape.dims();
    const auto window = window_of(node, Strides(weights.begin() + 2, weights.end()));
    if (!window.ok()) return {};
    const Seen seen{as_image(node.out().shape.dims()), 1};
    return fmt::format(
        "plan.conv({}, {}, {}, {}, {}, {}, {})", window->code, node.integer("group", 1),
        tensor_code(node.in(), as_image(node.in().shape.dims())),
        tensor_code(node.in(1), as_image(weights)), tensor_code(bias_of(node, chain), {weights[0]}),
        tensor_code(result_of(chain), seen.dims), followers(chain, node.out().shape, seen));
  }

  std::string matmul(const NodeSource& node, const OperationChain& chain) const {
    Strides a = node.in(0).shape.dims(), b = node.in(1).shape.dims();
    if (a.size() < 2 || b.size() < 2) return {};
    Seen seen{node.out().shape.dims(), 0};
    if (b.size() == 2) {
      a = {node.in(0).shape.elements() / a.back(), a.back()};
      seen.dims = {a[0], b[1]};
    }
    const size_t rank = seen.dims.size();
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    seen.channel = rank - 1;
    Strides bias(rank, 1);
    bias.back() = b.back();
    return fmt::format("plan.matmul({}, {}, {}, {}, {})", tensor_code(node.in(0), a),
                       tensor_code(node.in(1), b), tensor_code(bias_of(node, chain), bias),
                       tensor_code(result_of(chain), seen.dims),
                       followers(chain, node.out().shape, seen));
  }

  std::string gemm(const NodeSource& node, const OperationChain& chain) const {
    const int64_t m = node.out().shape[0], n = node.out().shape[1];
    const bool a_turned = node.integer("transA", 0) != 0, b_turned = node.integer("transB", 0) != 0;
    const int64_t k = node.in(0).shape[a_turned ? 0 : 1];
    const Variable bias = bias_of(node, chain);
    if (node.number("alpha", 1) != 1 || (node.has(2) && node.number("beta", 1) != 1)) return {};
    const bool row = bias.absent() || (bias.shape.elements() == n && bias.shape.rank() > 0 &&
                                       bias.shape[bias.shape.rank() - 1] == n);
    if (!row) return {};
    return fmt::format("plan.matmul({}, {}, {}, {}, {})",
                       tensor_code(node.in(0), {m, k}, a_turned ? Strides{1, m} : Strides{}),
                       tensor_code(node.in(1), {k, n}, b_turned ? Strides{1, k} : Strides{}),
                       tensor_code(bias, {1, n}), tensor_code(result_of(chain), {m, n}),
                       followers(chain, node.out().shape, {{m, n}, 1}));
  }

  // A function, or two tensors of which the second has as many dims as the first, some of them 1.
  std::string alone(const NodeSource& node, const OperationChain& chain) const {
    const Follower& one = chain.followers[0];
    const Variable& y = node.out();
    const size_t rank = y.shape.rank();
    if (rank == 0 || rank > 6) return {};
    std::string then = fmt::format("{{algorithm::{}, {}, {}", one.what, float_code(one.alpha),
                                   float_code(one.beta));
    if (!one.operand.empty()) {
      const Variable operand = variable(one.operand);
      Strides dims = operand.shape.dims();
      if (dims.size() > rank) return {};
      dims.insert(dims.begin(), rank - dims.size(), 1);
      then += ", " + tensor_code(operand, dims);
    }
    return fmt::format("plan.apply({}}}, {}, {})", then, tensor_code(variable(chain.value)),
                       tensor_code(y));
  }

  static std::string pool(const NodeSource& node) {
    const auto window = window_of(node, node.integers("kernel_shape", {}));
    if (!window.ok() || node.wants(1)) return {};
    const char* kind = node.op() == "MaxPool"                      ? "max"
                       : node.integer("count_include_pad", 0) != 0 ? "avg_include_padding"
                                                                   : "avg_exclude_padding";
    return fmt::format("plan.pool({}, algorithm::pooling_{}, {}, {})", window->code, kind,
                       tensor_code(node.in(), as_image(node.in().shape.dims())),
                       tensor_code(node.out(), as_image(node.out().shape.dims())));
  }

  static std::string global_pool(const NodeSource& node) {
    const Strides x = as_image(node.in().shape.dims());
    if (x.size() != 4) return {};
    return fmt::format(
        "plan.pool(Window{{{{{0}, 1, {0}, 1, 1, 0, 0}}, {{{1}, 1, {1}, 1, 1, 0, 0}}}}"
        ", algorithm::pooling_avg_exclude_padding, {2}, {3})",
        x[2], x[3], tensor_code(node.in(), x), tensor_code(node.out(), {x[0], x[1], 1, 1}));
  }

  static std::string softmax(const NodeSource& node) {
    const Strides& dims = node.in().shape.dims();
    const bool old = node.opset() < 13;
    const size_t axis = node.axis(old ? 1 : -1, dims.size());
    Strides rows = {1, 1, 1};
    for (size_t d = 0; d < dims.size(); ++d)
      rows[d < axis ? 0 : d == axis || old ? 1 : 2] *= dims[d];
    if (rows[2] == 1) rows.pop_back();
    return fmt::format("plan.softmax(1, {}, {})", tensor_code(node.in(), rows),
                       tensor_code(node.out(), rows));
  }

  static std::string layer_norm(const NodeSource& node) {
    const Strides& dims = node.in().shape.dims();
    Strides rows = {1, 1};
    for (size_t d = 0; d < dims.size(); ++d)
      rows[d < node.axis(-1, dims.size()) ? 0 : 1] *= dims[d];
    const Variable bias = node.has(2) ? node.in(2) : Variable{};
    return fmt::format("plan.layer_norm({}, {}, {}, {}, {})",
                       float_code(node.number("epsilon", 1e-5)), tensor_code(node.in(), rows),
                       tensor_code(node.in(1), {rows[1]}), tensor_code(bias, {rows[1]}),
                       tensor_code(node.out(), rows));
  }

  static std::string join(const NodeSource& node) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < node.inputs(); ++i) {
      if (node.in(i).shape.elements() > 0) parts.push_back(tensor_code(node.in(i)));
    }
    return fmt::format("plan.join({}, {{{}}}, {})", node.axis(0, node.out().shape.rank()),
                       fmt::join(parts, ", "), tensor_code(node.out()));
  }

  static std::string turn(const NodeSource& node) {
    const Strides own = dense_steps(node.in().shape.dims());
    Strides order;
    for (size_t d = own.size(); d-- > 0;) order.push_back(static_cast<int64_t>(d));
    order = node.integers("perm", order);
    Strides steps;
    for (const int64_t d : order) steps.push_back(own[static_cast<size_t>(d)]);
    return fmt::format("plan.move({}, {})", tensor_code(node.in(), node.out().shape.dims(), steps),
                       tensor_code(node.out()));
  }

  const StepsOf& steps_;
};

}  // namespace

std::string onednn_step(const StepsOf& steps, const OperationChain& chain) {
  return StepWriter(steps).of(chain);
}
std::string onednn_step(const StepsOf& steps, size_t operation) {
  return StepWriter(steps).of(operation);
}

}  // namespace opkit::model_export
