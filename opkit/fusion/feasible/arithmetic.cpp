// What operators take of the vector and cube units.
#include <algorithm>
#include <map>
#include <optional>

#include "opkit/fusion/author/formula.h"
#include "opkit/fusion/feasible/roofline.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

// Passes over the larger one of a node's operand and result, in float.
struct Passes {
  double plain = 1, slow = 0, reduce = 0, sort = 0;
  bool in_float = true;  // halves are widened and narrowed again
};

constexpr double kRepeatBytes = 256;  // counts the bytes of a vector instruction's repeat
constexpr double kFloat = 4;

bool is_slow(const std::string& call) {
  for (const char* slow : {"Exp(", "Ln(", "Sqrt(", "Div(", "Tanh(", "Erf(", "Sin(", "Cos("}) {
    if (call.rfind(slow, 0) == 0) return true;
  }
  return false;
}

// Returns what the calls of an element-wise operator's formula are.
std::optional<Passes> passes_of_formula(const Graph& graph, size_t n) {
  const auto region = author::region_of(graph, {n});
  if (!region.ok()) return std::nullopt;
  Passes passes{0, 0, 0, 0, false};
  for (const std::string& call : author::formula_of(*region).calls)
    (is_slow(call) ? passes.slow : passes.plain) += 1;
  passes.in_float = passes.slow > 0;
  return passes;
}

const std::map<std::string, Passes>& known_passes() {
  static const std::map<std::string, Passes> passes = {
      {"LayerNormalization", {6, 0, 2, 0, true}},
      {"RMSNormalization", {4, 0, 1, 0, true}},
      {"InstanceNormalization", {6, 0, 2, 0, true}},
      {"BatchNormalization", {4, 0, 0, 0, true}},
      {"Softmax", {2, 2, 2, 0, true}},
      {"LogSoftmax", {3, 2, 2, 0, true}},
      {"Gelu", {8, 2, 0, 0, true}},
      {"Mish", {4, 4, 0, 0, true}},
      {"Pow", {2, 2, 0, 0, true}},
      {"QuantizeLinear", {4, 1, 0, 0, true}},
      {"DequantizeLinear", {2, 0, 0, 0, true}},
      {"TopK", {2, 0, 0, 1, true}},
      {"Where", {2, 0, 0, 0, false}},
      {"Cast", {0.5, 0, 0, 0, false}},
  };
  return passes;
}

bool moves_only(const std::string& op) {
  for (const char* one :
       {"Gather", "Transpose", "Concat", "Split", "Slice", "Pad", "Expand", "Reshape", "Identity",
        "Conv", "MatMul", "Gemm", "ConvTranspose", "ConvInteger", "MatMulInteger"}) {
    if (op == one) return true;
  }
  return false;
}

Passes passes_of(const Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  const auto known = known_passes().find(node.op_type);
  if (known != known_passes().end()) return known->second;
  if (moves_only(node.op_type)) return {0, 0, 0, 0, false};
  if (node.op_type.rfind("Reduce", 0) == 0) return {0, 0, 1, 0, true};
  return passes_of_formula(graph, n).value_or(Passes{});
}

double elements_of(const Graph& graph, const std::string& value) {
  const auto found = graph.values.find(value);
  if (found == graph.values.end() || !found->second.shape) return 0;
  return static_cast<double>(found->second.shape->elements());
}

size_t index_of(const Graph& graph, const Node& node) {
  return static_cast<size_t>(&node - graph.nodes.data());
}

}  // namespace

Arithmetic& Arithmetic::operator+=(const Arithmetic& other) {
  products += other.products;
  elements += other.elements;
  vector_cycles += other.vector_cycles;
  return *this;
}

Arithmetic arithmetic_of(const Graph& graph, const Node& node, const core::TimingRates& rates) {
  Arithmetic sum;
  sum.products = products_of(graph, node);
  if (sum.products > 0 || is_view(node)) return sum;
  const Passes passes = passes_of(graph, index_of(graph, node));
  double elements = elements_of(graph, node.outputs[0]);
  if (!node.inputs.empty()) elements = std::max(elements, elements_of(graph, node.inputs[0]));
  const DType dtype = graph.values.at(node.outputs[0]).dtype;
  const double stored = static_cast<double>(opkit::bytes_of(dtype, 1));
  const double width = passes.in_float ? kFloat : std::max(stored, 1.0);
  const size_t row = width >= 8 ? 3 : width >= 4 ? 2 : width >= 2 ? 1 : 0;
  const auto cycles = [&](int cost) { return rates.repeat_eighths[cost][row] / 8.0; };
  const double casts = passes.in_float && stored < kFloat ? 2 : 0;
  const double repeats = elements * width / kRepeatBytes;
  sum.elements = elements * (passes.plain + passes.slow + passes.reduce + passes.sort + casts);
  sum.vector_cycles =
      repeats * (passes.plain * cycles(core::kCostPLAIN) + passes.slow * cycles(core::kCostSLOW) +
                 passes.reduce * cycles(core::kCostREDUCE) + passes.sort * cycles(core::kCostSORT) +
                 casts * cycles(core::kCostCAST));
  return sum;
}

}  // namespace opkit::feasible
