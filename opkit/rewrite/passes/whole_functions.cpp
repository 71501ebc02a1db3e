// Functions of one number.
#include <cmath>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/whole_samples.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double gelu_by_erf(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }
double gelu_by_tanh(double x) {
  constexpr double kBend = 0.044715, kRootOfTwoByPi = 0.7978845608028654;
  return 0.5 * x * (1 + std::tanh(kRootOfTwoByPi * (x + kBend * x * x * x)));
}
double hard_swish(double x) { return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0); }
double silu(double x) { return x * logistic(x); }
double mish(double x) { return x * std::tanh(std::log1p(std::exp(x))); }

struct Function {
  const char* op;
  const char* approximate;  // an attribute of Gelu, or null
  double (*of)(double);
};
constexpr Function kFunctions[] = {{"Gelu", "none", gelu_by_erf},
                                   {"Gelu", "tanh", gelu_by_tanh},
                                   {"HardSwish", nullptr, hard_swish},
                                   {"Silu", nullptr, silu},
                                   {"Mish", nullptr, mish}};

// Holds no multiple of what formulas bend at, and places so far out that a bound of a Clip shows.
std::vector<double> places() {
  std::vector<double> all;
  for (int i = -48; i <= 48; ++i) all.push_back(0.2 * i + 0.037);
  for (const double far : {12.3, 17.1, 31.7, 63.9, 150.3, 1017.7, 3.1e4, 1.3e6, 1.7e9, 1.1e15}) {
    all.push_back(far);
    all.push_back(-far);
  }
  return all;
}

std::vector<double> values_of(const Function& function) {
  std::vector<double> all = places();
  for (double& x : all) x = function.of(x);
  return all;
}

// Compares to the digits that exporters write of a formula's constants.
bool are_alike(const std::vector<double>& samples, const std::vector<double>& formula) {
  constexpr double kShare = 2e-6;
  if (samples.size() != formula.size()) return false;
  for (size_t i = 0; i < samples.size(); ++i) {
    const double off = std::abs(samples[i] - formula[i]);
    if (!(off <= kShare * (1 + std::abs(formula[i])))) return false;
  }
  return true;
}

}  // namespace

std::optional<Composed> whole_function(const Graph& graph, const Readers& readers,
                                       const std::string& value) {
  if (!is_float(dtype_of(graph, value)) || readers.of(value).size() < 2 ||
      shape_of(graph, value) == nullptr)
    return std::nullopt;
  std::vector<double> samples = places();
  const Shape shape{static_cast<int64_t>(samples.size())};
  const Consequences all(graph, readers, value, {DType::kFloat32, shape, std::move(samples)});
  for (const std::string& result : all.order()) {
    for (const Function& function : kFunctions) {
      if (!are_alike(all.at(result).values, values_of(function))) continue;
      Composed made{{function.op, {value}, {result}, {}}};
      if (function.approximate != nullptr)
        made.node.attributes["approximate"] = std::string(function.approximate);
      return made;
    }
  }
  return std::nullopt;
}

}  // namespace opkit::passes
