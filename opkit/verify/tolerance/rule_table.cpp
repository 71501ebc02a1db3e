// Which rule belongs to which operator, and how exact the chip's functions are.
//
// Sources of the figures: "950" = the accuracy stated for register-vector arithmetic of the 950
// (exp, ln, sqrt and div within 1 ulp). "allowed" = the calls' pages say that the last bits
// are not stated or that the instruction approximates; opkit then allows what its documented
// building blocks add up to. Composed functions (tanh, erf, gelu) cancel near 0 or in their tail,
// which the absolute part covers.
#include <algorithm>

#include "opkit/verify/tolerance/rule.h"

namespace opkit::verify {
namespace {

constexpr std::string_view kExact = "exact";
constexpr std::string_view kRounded = "correctly rounded";
constexpr std::string_view k950 = "950";
constexpr std::string_view kAllowed = "allowed";
constexpr std::string_view kSumBound = "n roundings";

Rule exact(std::string_view op) { return {op, true, 0, 0, 1, kExact, move_rule}; }
Rule rising(std::string_view op, double ulps, double absolute, std::string_view source) {
  return {op, false, ulps, absolute, 1, source, monotone_rule};
}
Rule smooth(std::string_view op, double slope, double ulps, double absolute) {
  return {op, false, ulps, absolute, slope, kAllowed, lipschitz_rule};
}
Rule with(std::string_view op, Result<Outcome> (*apply)(const NodeCall&, const Rule&),
          std::string_view source, double ulps = 0) {
  return {op, false, ulps, 0, 1, source, apply};
}

void add_moves(std::vector<Rule>& rules) {
  for (std::string_view op :
       {"Identity",      "Reshape",      "Transpose",       "Concat",    "Split",
        "Slice",         "Gather",       "GatherElements",  "GatherND",  "Expand",
        "Tile",          "Pad",          "Squeeze",         "Unsqueeze", "Flatten",
        "DepthToSpace",  "SpaceToDepth", "Trilu",           "Relu",      "Max",
        "Min",           "Clip",         "ReduceMax",       "ReduceMin", "MaxPool",
        "GlobalMaxPool", "Dropout",      "ScatterElements", "ScatterND", "ConstantOfShape",
        "Shape",         "Size",         "Constant",        "Range"}) {
    rules.push_back(exact(op));
  }
  // Steps: monotone, but a rounding before the step may move it.
  for (std::string_view op : {"Floor", "Ceil", "Round", "Sign", "OneHot", "ThresholdedRelu"})
    rules.push_back({op, false, 0, 0, 1, kExact, move_rule});
}

void add_functions(std::vector<Rule>& rules) {
  rules.push_back(rising("Exp", 1, 0, k950));
  rules.push_back(rising("Log", 1, 0, k950));
  rules.push_back(rising("Sqrt", 1, 0, k950));
  rules.push_back(rising("Sigmoid", 4, 0, kAllowed));
  rules.push_back(rising("Tanh", 4, 4, kAllowed));
  rules.push_back(rising("Erf", 4, 4, kAllowed));
  rules.push_back(rising("Softplus", 4, 2, kAllowed));
  rules.push_back(rising("HardSigmoid", 2, 1, kRounded));
  rules.push_back(rising("Softsign", 3, 0, kAllowed));
  rules.push_back(rising("Elu", 4, 2, kAllowed));
  rules.push_back(rising("Selu", 5, 4, kAllowed));
  rules.push_back(rising("Celu", 4, 2, kAllowed));
  rules.push_back(rising("Atan", 4, 0, kAllowed));
  rules.push_back(rising("Sinh", 4, 4, kAllowed));
  rules.push_back(rising("Asinh", 4, 4, kAllowed));
  rules.push_back(smooth("Gelu", 1.13, 4, 4));
  rules.push_back(smooth("Silu", 1.1, 5, 0));
  rules.push_back(smooth("Swish", 1.1, 5, 0));
  rules.push_back(smooth("Mish", 1.09, 8, 4));
  rules.push_back(smooth("HardSwish", 1.5, 3, 0));
  rules.push_back(smooth("Sin", 1, 4, 4));
  rules.push_back(smooth("Cos", 1, 4, 4));
}

std::vector<Rule> make_rules() {
  std::vector<Rule> rules;
  add_moves(rules);
  add_functions(rules);
  for (std::string_view op : {"Add", "Sub", "Mul"})
    rules.push_back(with(op, binary_rule, kRounded));
  rules.push_back(with("Div", binary_rule, k950, 1));
  rules.push_back(with("Pow", power_rule, kAllowed, 8));
  for (std::string_view op : {"Sum", "Mean"}) rules.push_back(with(op, fold_rule, kRounded));
  rules.push_back({"Neg", true, 0, 0, 1, kExact, negate_rule});
  rules.push_back({"Abs", true, 0, 0, 1, kExact, magnitude_rule});
  rules.push_back(with("Reciprocal", reciprocal_rule, kAllowed, 2));
  for (std::string_view op :
       {"ReduceSum", "ReduceMean", "AveragePool", "GlobalAveragePool", "CumSum"})
    rules.push_back(with(op, sum_rule, kSumBound));
  for (std::string_view op : {"MatMul", "Gemm", "Conv", "ConvTranspose"})
    rules.push_back(with(op, product_rule, kSumBound));
  rules.push_back(with("Einsum", einsum_rule, kSumBound));
  for (std::string_view op : {"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal", "Not",
                              "And", "Or", "Xor", "IsNaN", "IsInf", "ArgMax", "ArgMin"})
    rules.push_back(with(op, compare_rule, kExact));
  rules.push_back({"Where", true, 0, 0, 1, kExact, where_rule});
  for (std::string_view op : {"Cast", "CastLike", "QuantizeLinear"})
    rules.push_back(with(op, cast_rule, kRounded));
  for (std::string_view op :
       {"Softmax", "LogSoftmax", "LayerNormalization", "RMSNormalization", "BatchNormalization",
        "LeakyRelu", "PRelu", "ReduceL2", "ReduceSumSquare", "ReduceL1", "ReduceLogSumExp"})
    rules.push_back(with(op, expand_rule, "composed"));
  std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.op < b.op; });
  return rules;
}

}  // namespace

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> kRules = make_rules();
  return kRules;
}

const Rule* find_rule(std::string_view op) {
  const std::vector<Rule>& rules = all_rules();
  const auto found =
      std::lower_bound(rules.begin(), rules.end(), op,
                       [](const Rule& rule, std::string_view name) { return rule.op < name; });
  return found != rules.end() && found->op == op ? &*found : nullptr;
}

}  // namespace opkit::verify
