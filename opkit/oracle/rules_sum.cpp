// Rules of sums: reductions, averages, matrix products and convolutions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "opkit/oracle/float_format.h"
#include "opkit/oracle/outcome.h"
#include "opkit/oracle/sum_bound.h"

namespace opkit::oracle {
namespace {

using reference::RefTensor;

Result<BoundedOutputs> finish(const NodeCall& call, Sum sum) {
  BoundedOutputs outcome = exact_outcome(call, true);
  Bounded& out = outcome[0];
  out.bounds.resize(out.value.values.size());
  for (int64_t i = 0; i < out.value.elements(); ++i)
    out.bounds[static_cast<size_t>(i)] = sum_interval(sum, out.value[i], i, call.working);
  OPKIT_CHECK(judge_nan(call, out));
  if (!sum.scaled) out.open = std::make_shared<const Sum>(std::move(sum));
  return outcome;
}

double whole(const graph::Node& node, const char* name, double otherwise) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return otherwise;
  if (const double* number = std::get_if<double>(&found->second)) return *number;
  const int64_t* integer = std::get_if<int64_t>(&found->second);
  return integer != nullptr ? static_cast<double>(*integer) : otherwise;
}

// Products added up for one element of the result.
double product_terms(const NodeCall& call) {
  const Shape &a = call.inputs[0]->value.shape, &b = call.inputs[1]->value.shape;
  if (call.node.op_type == "Conv")
    return static_cast<double>(
        Shape(std::vector<int64_t>(b.dims().begin() + 1, b.dims().end())).elements());
  if (call.node.op_type == "ConvTranspose") {
    const int64_t terms = b.elements() / std::max<int64_t>(b[1], 1);
    return static_cast<double>(terms);
  }
  if (call.node.op_type == "Gemm" && whole(call.node, "transA", 0) != 0)
    return static_cast<double>(a[0]);
  return static_cast<double>(a[a.rank() - 1]);
}

// The node on other operands, with magnitudes in place of scale factors.
Result<RefTensor> on(const NodeCall& call, const std::vector<RefTensor>& operands) {
  graph::Node node = call.node;
  for (const char* name : {"alpha", "beta"}) {
    if (call.node.op_type == "Gemm") node.attributes[name] = std::abs(whole(call.node, name, 1));
  }
  const NodeCall magnitudes{node, call.inputs, call.values, call.working};
  OPKIT_TRY(std::vector<RefTensor> results, reevaluate(magnitudes, operands));
  return std::move(results[0]);
}

RefTensor zero_like(const RefTensor& tensor) {
  RefTensor zero = tensor;
  zero.values.assign(zero.values.size(), 0);
  return zero;
}

std::vector<RefTensor> magnitudes_of(const NodeCall& call) {
  std::vector<RefTensor> operands;
  for (const Bounded* input : call.inputs) {
    if (input == nullptr) {
      operands.emplace_back();
    } else {
      operands.push_back(is_float(input->value.dtype) ? input->magnitude() : input->value);
    }
  }
  return operands;
}

// Returns the magnitudes of the terms that are finite, where some are not.
Result<RefTensor> finite_terms(const NodeCall& call, std::vector<RefTensor> operands,
                               const RefTensor& magnitudes) {
  if (std::all_of(magnitudes.values.begin(), magnitudes.values.end(),
                  [](double m) { return std::isfinite(m); }))
    return RefTensor();
  for (RefTensor& operand : operands) {
    for (double& value : operand.values) value = std::isfinite(value) ? value : 0;
  }
  return on(call, operands);
}

// |a| rb + ra |b| + ra rb + rc, within the magnitudes of the interval ends.
Result<RefTensor> product_drift(const NodeCall& call, const std::vector<RefTensor>& magnitudes) {
  RefTensor drift = zero_like(call.values[0]);
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (call.inputs[k] == nullptr || call.inputs[k]->is_exact()) continue;
    std::vector<RefTensor> operands = magnitudes;
    operands[k] = call.inputs[k]->radius();
    // A bias belongs to one of the terms only.
    if (k < 2 && operands.size() > 2 && call.inputs[2] != nullptr)
      operands[2] = zero_like(operands[2]);
    if (k == 2) operands[0] = zero_like(operands[0]);
    OPKIT_TRY(const RefTensor part, on(call, operands));
    for (int64_t i = 0; i < drift.elements(); ++i) drift[i] += part[i];
  }
  return drift;
}

// On ones, every term is 1.
Result<double> terms_on_ones(const NodeCall& call) {
  std::vector<RefTensor> ones;
  for (const Bounded* input : call.inputs) {
    ones.push_back(input->value);
    ones.back().values.assign(ones.back().values.size(), 1);
  }
  OPKIT_TRY(const RefTensor counted, on(call, ones));
  return counted.values.empty() ? 1.0 : counted[0];
}

// Returns the length of the first operand's axis that the second one names.
double axis_length(const NodeCall& call) {
  const Shape& x = call.inputs[0]->value.shape;
  const auto axis = static_cast<int64_t>(call.inputs[1]->value[0]);
  const int64_t place = axis < 0 ? axis + static_cast<int64_t>(x.rank()) : axis;
  return static_cast<double>(x[static_cast<size_t>(place)]);
}

bool states(const graph::Node& node, const char* name, std::string_view text) {
  const auto found = node.attributes.find(name);
  return found != node.attributes.end() && std::get<std::string>(found->second) == text;
}

// Axes whose size changes.
double scaled_axes(const NodeCall& call) {
  const Shape &x = call.inputs[0]->value.shape, &y = call.values[0].shape;
  double count = 0;
  for (size_t d = 0; d < x.rank(); ++d) count += x[d] != y[d] ? 1 : 0;
  return count;
}

// Returns the grid on which the products of all operands lie.
std::optional<int> grid_of_all(const NodeCall& call) {
  int grid = 0;
  for (const Bounded* input : call.inputs) {
    const auto one = grid_of(*input);
    if (!one) return std::nullopt;
    grid += *one;
  }
  return grid;
}

std::optional<int> product_grid(const NodeCall& call) {
  const auto a = grid_of(*call.inputs[0]), b = grid_of(*call.inputs[1]);
  if (!a || !b) return std::nullopt;
  if (call.inputs.size() < 3 || call.inputs[2] == nullptr) return *a + *b;
  const auto bias = grid_of(*call.inputs[2]);
  if (!bias) return std::nullopt;
  return std::min(*a + *b, *bias);
}

// Returns the most that meet in one element, itself included.
Result<double> terms_scattered(const NodeCall& call) {
  std::vector<RefTensor> ones;
  for (const Bounded* input : call.inputs) {
    ones.push_back(input->value);
    if (is_float(input->value.dtype)) ones.back().values.assign(ones.back().values.size(), 1);
  }
  OPKIT_TRY(const RefTensor counted, on(call, ones));
  return counted.values.empty() ? 1.0
                                : *std::max_element(counted.values.begin(), counted.values.end());
}

}  // namespace

Result<BoundedOutputs> sum_rule(const NodeCall& call, const Bound&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes_of(call)));
  OPKIT_TRY(sum.finite, finite_terms(call, magnitudes_of(call), sum.magnitudes));
  sum.drift = zero_like(call.values[0]);
  const Bounded& input = *call.inputs[0];
  if (!input.is_exact()) {
    std::vector<RefTensor> operands = magnitudes_of(call);
    operands[0] = input.radius();
    OPKIT_TRY(sum.drift, on(call, operands));
  }
  sum.grid = grid_of(input);
  const double results = static_cast<double>(std::max<int64_t>(call.values[0].elements(), 1));
  const std::string& op = call.node.op_type;
  sum.terms =
      op == "CumSum" ? axis_length(call) : static_cast<double>(input.value.elements()) / results;
  sum.scaled = op == "ReduceMean" || op == "AveragePool" || op == "GlobalAveragePool";
  if (op == "AveragePool") {  // windows may overlap
    sum.terms = 1;
    const auto kernel = call.node.attributes.find("kernel_shape");
    if (kernel != call.node.attributes.end()) {
      for (int64_t size : std::get<std::vector<int64_t>>(kernel->second))
        sum.terms *= static_cast<double>(size);
    }
    sum.grid.reset();  // a window at the rim divides by less
  }
  return finish(call, std::move(sum));
}

Result<BoundedOutputs> product_rule(const NodeCall& call, const Bound&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  const std::vector<RefTensor> magnitudes = magnitudes_of(call);
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes));
  OPKIT_TRY(sum.finite, finite_terms(call, magnitudes, sum.magnitudes));
  OPKIT_TRY(sum.drift, product_drift(call, magnitudes));
  const bool bias = call.inputs.size() > 2 && call.inputs[2] != nullptr;
  sum.terms = product_terms(call) + (bias ? 1 : 0);
  sum.grid = product_grid(call);
  for (const char* name : {"alpha", "beta"}) {
    if (call.node.op_type == "Gemm" && whole(call.node, name, 1) != 1) sum.further += 1;
  }
  return finish(call, std::move(sum));
}

// Products of any number of operands, summed. A kernel may contract two of them first: each further
// operand is one more rounding of a product and of a partial sum.
Result<BoundedOutputs> einsum_rule(const NodeCall& call, const Bound&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  const std::vector<RefTensor> magnitudes = magnitudes_of(call);
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes));
  OPKIT_TRY(sum.finite, finite_terms(call, magnitudes, sum.magnitudes));
  sum.drift = zero_like(call.values[0]);
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (call.inputs[k]->is_exact()) continue;
    std::vector<RefTensor> operands = magnitudes;
    operands[k] = call.inputs[k]->radius();
    OPKIT_TRY(const RefTensor part, on(call, operands));
    for (int64_t i = 0; i < sum.drift.elements(); ++i) sum.drift[i] += part[i];
  }
  OPKIT_TRY(sum.terms, terms_on_ones(call));
  sum.terms += 2.0 * static_cast<double>(std::max<size_t>(call.inputs.size(), 2) - 2);
  sum.grid = grid_of_all(call);
  return finish(call, std::move(sum));
}

// Along each axis two neighbours are weighted: a weight is a quotient of two numbers that may need
// a rounding each, and its product and the sum are rounded.
Result<BoundedOutputs> resample_rule(const NodeCall& call, const Bound& bound) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  if (states(call.node, "mode", "cubic")) return apply_bound(call, Bound());  // its weights cancel
  if (!states(call.node, "mode", "linear")) return move_rule(call, bound);
  constexpr double kRoundings = 5;
  Sum sum;
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes_of(call)));
  OPKIT_TRY(sum.finite, finite_terms(call, magnitudes_of(call), sum.magnitudes));
  sum.drift = zero_like(call.values[0]);
  std::vector<RefTensor> operands = magnitudes_of(call);
  operands[0] = call.inputs[0]->radius();
  if (!call.inputs[0]->is_exact()) {
    OPKIT_TRY(sum.drift, on(call, operands));
  }
  sum.terms = 0;
  sum.further = kRoundings * scaled_axes(call);
  return finish(call, std::move(sum));
}

// Updates that replace elements move them, the largest and the smallest are selected, and those
// that are added are terms of sums, in any order.
Result<BoundedOutputs> scatter_rule(const NodeCall& call, const Bound& bound) {
  if (states(call.node, "reduction", "mul")) return apply_bound(call, Bound());
  if (!states(call.node, "reduction", "add")) return move_rule(call, bound);
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes_of(call)));
  OPKIT_TRY(sum.finite, finite_terms(call, magnitudes_of(call), sum.magnitudes));
  sum.drift = zero_like(call.values[0]);
  const Bounded &data = *call.inputs[0], &updates = *call.inputs[2];
  if (!data.is_exact() || !updates.is_exact()) {
    OPKIT_TRY(sum.drift, on(call, {data.radius(), call.inputs[1]->value, updates.radius()}));
  }
  const auto of_data = grid_of(data), of_updates = grid_of(updates);
  if (of_data && of_updates) sum.grid = std::min(*of_data, *of_updates);
  OPKIT_TRY(sum.terms, terms_scattered(call));
  return finish(call, std::move(sum));
}

}  // namespace opkit::oracle
