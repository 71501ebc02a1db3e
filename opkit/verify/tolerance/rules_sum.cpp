// Rules of sums: reductions, averages, matrix products and convolutions.
//
// A sum of n terms in a type with unit u, in any order, is off by at most gamma_n times the sum of
// the magnitudes, gamma_n = n u / (1 - n u) (Higham, "Accuracy and Stability of Numerical
// Algorithms", chapter 4). Terms that are multiples of one power of two and whose magnitudes add up
// to at most 2^precision of it are added without any error.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "opkit/verify/tolerance/float_format.h"
#include "opkit/verify/tolerance/outcome.h"

namespace opkit::verify {
namespace {

using reference::RefTensor;

// The exponent of the largest power of two that every element is a multiple of; nothing when an
// element is uncertain or not finite.
std::optional<int> grid_of(const Bounded& tensor) {
  if (!tensor.is_exact()) {
    for (const Interval& c : tensor.bounds) {
      if (!c.is_point()) return std::nullopt;
    }
  }
  int grid = 2000;
  for (double value : tensor.value.values) {
    if (!std::isfinite(value)) return std::nullopt;
    if (value == 0) continue;
    int exponent = 0;
    const auto digits =
        static_cast<int64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
    grid = std::min(grid, exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(digits)));
  }
  return grid;
}

struct Sum {
  RefTensor magnitudes;     // of the sum of |terms|
  RefTensor drift;          // what the operands' intervals add
  std::optional<int> grid;  // of the terms, when they are exact
  double terms = 1;
  double further = 0;   // roundings of each result behind the sum
  bool scaled = false;  // the result is the sum divided by the number of terms
};

double gamma_of(double n, double unit) {
  return n * unit < 0.5 ? n * unit / (1 - n * unit) : INFINITY;
}

bool without_error(const Sum& sum, double magnitude, const Working& working) {
  if (!sum.grid || sum.further > 0) return false;
  const double total = sum.scaled ? magnitude * sum.terms : magnitude;
  if (total > format_of(working.dtype).largest) return false;
  return total <= std::ldexp(1, std::min(*sum.grid + format_of(working.dtype).precision, 1023));
}

Interval sum_interval(const Sum& sum, double value, int64_t i, const Working& working) {
  const FloatFormat format = format_of(working.dtype);
  const double magnitude = sum.magnitudes[i];
  if (std::isnan(value)) return Interval::point(value);
  if (std::isnan(magnitude)) return Interval::anything();
  if (std::isinf(value)) return Interval::point(value);
  if (without_error(sum, magnitude, working) && sum.drift[i] == 0) {
    const Interval exact = Interval::point(value);
    const bool power_of_two = std::exp2(std::round(std::log2(sum.terms))) == sum.terms;
    return !sum.scaled || power_of_two ? exact : widen(exact, 2 * ulp_at(working.dtype, value));
  }
  const double roundings = sum.terms + sum.further + (sum.scaled ? 2 : 0);
  const double relative = gamma_of(roundings, format.unit) + gamma_of(roundings + 2, 0x1p-53);
  const double tiny = roundings * ulp_at(working.dtype, 0);  // products in the subnormal range
  const double radius = relative * (magnitude + sum.drift[i]) + sum.drift[i] + tiny;
  // Beyond the working type's range some order of the terms overflows on the way.
  const double peak = (magnitude + radius) * (sum.scaled ? sum.terms : 1);
  if (!(peak <= format.largest)) {
    if (working.saturate) return Interval::anything();
    if (value == magnitude) return {value - radius, INFINITY, false};
    if (value == -magnitude) return {-INFINITY, value + radius, false};
    return Interval::anything();
  }
  return widen(Interval::point(value), radius);
}

Outcome finish(const NodeCall& call, const Sum& sum) {
  Outcome outcome = exact_outcome(call, true);
  Bounded& out = outcome[0];
  out.bounds.resize(out.value.values.size());
  for (int64_t i = 0; i < out.value.elements(); ++i)
    out.bounds[static_cast<size_t>(i)] = sum_interval(sum, out.value[i], i, call.working);
  return outcome;
}

double whole(const reference::RefNode& node, const char* name, double otherwise) {
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
  if (call.node.op_type == "ConvTranspose")
    return static_cast<double>(b.elements() / std::max<int64_t>(b[1], 1));
  if (call.node.op_type == "Gemm" && whole(call.node, "transA", 0) != 0)
    return static_cast<double>(a[0]);
  return static_cast<double>(a[a.rank() - 1]);
}

// The node on other operands, with magnitudes in place of scale factors.
Result<RefTensor> on(const NodeCall& call, const std::vector<RefTensor>& operands) {
  reference::RefNode node = call.node;
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

std::optional<int> product_grid(const NodeCall& call) {
  const auto a = grid_of(*call.inputs[0]), b = grid_of(*call.inputs[1]);
  if (!a || !b) return std::nullopt;
  if (call.inputs.size() < 3 || call.inputs[2] == nullptr) return *a + *b;
  const auto bias = grid_of(*call.inputs[2]);
  if (!bias) return std::nullopt;
  return std::min(*a + *b, *bias);
}

}  // namespace

Result<Outcome> sum_rule(const NodeCall& call, const Rule&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes_of(call)));
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
  sum.terms = static_cast<double>(input.value.elements()) / (op == "CumSum" ? 1.0 : results);
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
  return finish(call, sum);
}

Result<Outcome> product_rule(const NodeCall& call, const Rule&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  Sum sum;
  const std::vector<RefTensor> magnitudes = magnitudes_of(call);
  OPKIT_TRY(sum.magnitudes, on(call, magnitudes));
  OPKIT_TRY(sum.drift, product_drift(call, magnitudes));
  const bool bias = call.inputs.size() > 2 && call.inputs[2] != nullptr;
  sum.terms = product_terms(call) + (bias ? 1 : 0);
  sum.grid = product_grid(call);
  for (const char* name : {"alpha", "beta"}) {
    if (call.node.op_type == "Gemm" && whole(call.node, name, 1) != 1) sum.further += 1;
  }
  return finish(call, sum);
}

}  // namespace opkit::verify
