// Matrix products and convolutions.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/strides.h"
#include "opkit/model/export/window_of.h"

namespace opkit::model_export {
namespace {

bool is_zero(const NodeSource& node, size_t operand) {
  if (!node.has(operand)) return true;
  const graph::RefTensor* zero = node.in(operand).constant;
  return zero != nullptr && std::all_of(zero->values.begin(), zero->values.end(),
                                        [](double value) { return value == 0; });
}

// Products of whole numbers are summed in int32.
Status check_types(const NodeSource& node) {
  if (!node.op().ends_with("Integer")) return node.check_floats();
  for (const size_t operand : {0, 1}) {
    const DType dtype = node.in(operand).dtype;
    if (dtype != DType::kInt8 && dtype != DType::kUInt8)
      return node.refused("it has an element type that the source has not");
  }
  return is_zero(node, 2) && is_zero(node, 3) ? Status()
                                              : node.refused("it has zero points other than 0");
}

Result<std::string> emit_matmul(const NodeSource& node) {
  OPKIT_CHECK(check_types(node));
  Strides a = node.in(0).shape.dims(), b = node.in(1).shape.dims();
  Strides y = node.out().shape.dims();
  if (a.empty() || b.empty()) return node.refused("it multiplies a scalar");
  if (a.size() == 1) a.insert(a.begin(), 1), y.insert(y.end() - (b.size() > 1), 1);
  if (b.size() == 1) b.push_back(1), y.push_back(1);
  const int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  const Strides batches(y.begin(), y.end() - 2);
  const auto steps_of = [&](const Strides& dims) {
    const int64_t size = dims.back() * dims[dims.size() - 2];
    Strides steps = broadcast_steps(Shape(Strides(dims.begin(), dims.end() - 2)), batches);
    for (int64_t& step : steps) step *= size;
    return steps;
  };
  const WalkOver walk = shortest({batches, {steps_of(a), steps_of(b)}});
  return fmt::format("matmul({}, {}, {}, {}, {}, {}, {}, {}, {});\n", dims_code(walk.dims),
                     dims_code(walk.steps[0]), dims_code(walk.steps[1]), m, n, k, node.in(0).name,
                     node.in(1).name, node.out().name);
}

Result<std::string> emit_gemm(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  const Strides& a = node.in(0).shape.dims();
  const Strides& y = node.out().shape.dims();
  const bool a_turned = node.integer("transA", 0) != 0, b_turned = node.integer("transB", 0) != 0;
  std::string code =
      fmt::format("gemm({}, {}, {}, {}, {}, {}, {}, {}, {});\n", y[0], y[1], a[a_turned ? 0 : 1],
                  a_turned, b_turned, float_code(node.number("alpha", 1)), node.in(0).name,
                  node.in(1).name, node.out().name);
  if (!node.has(2)) return code;
  const Strides c = broadcast_steps(node.in(2).shape, y);
  return code + fmt::format("add_scaled({}, {}, {}, {}, {}, {}, {});\n", y[0], y[1],
                            float_code(node.number("beta", 1)), c[0], c[1], node.in(2).name,
                            node.out().name);
}

Result<std::string> emit_conv(const NodeSource& node) {
  OPKIT_CHECK(check_types(node));
  const bool whole = node.op() == "ConvInteger";
  const std::string none =
      fmt::format("static_cast<const {}*>(nullptr)", whole ? "int32_t" : "float");
  const Strides& weights = node.in(1).shape.dims();
  OPKIT_TRY(const WindowOf window, window_of(node, Strides(weights.begin() + 2, weights.end())));
  return fmt::format(
      "conv({}, {}, {}, {}, {}, {},\n     {}, {});\n", window.code, node.in(0).shape[0],
      node.integer("group", 1), node.in(0).shape[1], weights[0], node.in(0).name, node.in(1).name,
      fmt::format("{}, {}", node.has(2) && !whole ? node.in(2).name : none, node.out().name));
}

}  // namespace

const std::vector<OperatorSource>& product_sources() {
  static const std::vector<OperatorSource> kSources = {{"MatMul", emit_matmul},
                                                       {"MatMulInteger", emit_matmul},
                                                       {"Gemm", emit_gemm},
                                                       {"Conv", emit_conv},
                                                       {"ConvInteger", emit_conv}};
  return kSources;
}

}  // namespace opkit::model_export
