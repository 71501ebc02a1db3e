// Operators that compute each element by itself.
#include <fmt/format.h>
#include <cmath>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/strides.h"

namespace opkit::model_export {
namespace {

std::string unary_code(const NodeSource& node, const std::string& expression) {
  return fmt::format("unary({}, {}, {}, [](float v) {{ return {}; }});\n",
                     node.out().shape.elements(), node.in().name, node.out().name, expression);
}

struct Formula {
  std::string_view op, expression;
};

// Expressions of v, or of a and b.
constexpr Formula kUnary[] = {{"Relu", "v < 0.0f ? 0.0f : v"},
                              {"Sigmoid", "1.0f / (1.0f + std::exp(-v))"},
                              {"Tanh", "std::tanh(v)"},
                              {"Exp", "std::exp(v)"},
                              {"Log", "std::log(v)"},
                              {"Sqrt", "std::sqrt(v)"},
                              {"Abs", "std::fabs(v)"},
                              {"Neg", "-v"},
                              {"Erf", "std::erf(v)"},
                              {"Floor", "std::floor(v)"},
                              {"Ceil", "std::ceil(v)"},
                              {"Round", "std::nearbyint(v)"},
                              {"Sin", "std::sin(v)"},
                              {"Cos", "std::cos(v)"},
                              {"Reciprocal", "1.0f / v"},
                              {"Softplus", "v > 20.0f ? v : std::log1p(std::exp(v))"},
                              {"HardSwish", "v * clip(v / 6.0f + 0.5f, 0.0f, 1.0f)"},
                              {"Silu", "v / (1.0f + std::exp(-v))"},
                              {"Mish", "v * std::tanh(v > 20.0f ? v : std::log1p(std::exp(v)))"}};
constexpr Formula kBinary[] = {{"Add", "a + b"},
                               {"Sum", "a + b"},
                               {"Sub", "a - b"},
                               {"Mul", "a * b"},
                               {"Div", "a / b"},
                               {"Pow", "std::pow(a, b)"},
                               {"Max", "a > b || a != a ? a : b"},
                               {"Min", "a < b || a != a ? a : b"},
                               {"PRelu", "a < 0 ? a * b : a"},
                               {"Equal", "a == b"},
                               {"Less", "a < b"},
                               {"LessOrEqual", "a <= b"},
                               {"Greater", "a > b"},
                               {"GreaterOrEqual", "a >= b"},
                               {"And", "a && b"},
                               {"Or", "a || b"},
                               {"Xor", "a != b"}};

template <size_t Count>
std::string_view formula_of(const Formula (&formulas)[Count], std::string_view op) {
  for (const Formula& one : formulas) {
    if (one.op == op) return one.expression;
  }
  return {};
}

Result<std::string> emit_unary(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  return unary_code(node, std::string(formula_of(kUnary, node.op())));
}

std::string binary_code(const Variable& a, const Variable& b, const Variable& y,
                        std::string_view expression) {
  const Strides& dims = y.shape.dims();
  const WalkOver walk =
      shortest({dims, {broadcast_steps(a.shape, dims), broadcast_steps(b.shape, dims)}});
  return fmt::format("binary({}, {}, {}, {}, {}, {},\n         []({} a, {} b) {{ return {}; }});\n",
                     dims_code(walk.dims), dims_code(walk.steps[0]), dims_code(walk.steps[1]),
                     a.name, b.name, y.name, c_type(a.dtype), c_type(b.dtype), expression);
}

// Integers that overflow or are divided by 0 have no meaning that loops could keep.
bool computes_integers(const NodeSource& node) {
  return c_type(node.out().dtype) != "float" && c_type(node.out().dtype) != "bool" &&
         (node.op() == "Div" || node.op() == "Pow");
}

Result<std::string> emit_binary(const NodeSource& node) {
  if (c_type(node.out().dtype).empty() || c_type(node.in().dtype).empty())
    return node.refused("it has an element type that the source has not");
  if (computes_integers(node)) return node.refused("it computes with integers");
  const std::string_view expression = formula_of(kBinary, node.op());
  if (node.inputs() == 1) {
    return fmt::format("unary({}, {}, {}, []({} v) {{ return v; }});\n",
                       node.out().shape.elements(), node.in().name, node.out().name,
                       c_type(node.in().dtype));
  }
  std::string code = binary_code(node.in(0), node.in(1), node.out(), expression);
  for (size_t i = 2; i < node.inputs(); ++i)
    code += binary_code(node.out(), node.in(i), node.out(), expression);
  return code;
}

Result<std::string> emit_not(const NodeSource& node) {
  return fmt::format("unary({}, {}, {}, [](bool v) {{ return !v; }});\n",
                     node.out().shape.elements(), node.in().name, node.out().name);
}

// A bound of opset 11 and later is an operand, one of before an attribute.
Result<std::string> bound_of(const NodeSource& node, size_t i, const char* attribute,
                             double otherwise) {
  if (!node.has(i)) return float_code(node.number(attribute, otherwise));
  return node.in(i).name + "[0]";
}

Result<std::string> emit_clip(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  OPKIT_TRY(const std::string low, bound_of(node, 1, "min", -INFINITY));
  OPKIT_TRY(const std::string high, bound_of(node, 2, "max", INFINITY));
  return fmt::format("clip_all({}, {}, {}, {}, {});\n", node.out().shape.elements(), node.in().name,
                     low, high, node.out().name);
}

Result<std::string> emit_scaled(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  const auto alpha = [&](double otherwise) { return float_code(node.number("alpha", otherwise)); };
  const auto beta = [&](double otherwise) { return float_code(node.number("beta", otherwise)); };
  if (node.op() == "LeakyRelu")
    return unary_code(node, fmt::format("v < 0.0f ? {} * v : v", alpha(0.01)));
  if (node.op() == "Elu")
    return unary_code(node, fmt::format("v < 0.0f ? {} * std::expm1(v) : v", alpha(1)));
  if (node.op() == "ThresholdedRelu")
    return unary_code(node, fmt::format("v > {} ? v : 0.0f", alpha(1)));
  return unary_code(node, fmt::format("clip({} * v + {}, 0.0f, 1.0f)", alpha(0.2), beta(0.5)));
}

Result<std::string> emit_gelu(const NodeSource& node) {
  OPKIT_CHECK(node.check_floats());
  if (node.text("approximate", "none") == "tanh")
    return unary_code(node,
                      "0.5f * v * (1.0f + std::tanh(0.797884561f * (v + 0.044715f * v * v * v)))");
  return unary_code(node, "0.5f * v * (1.0f + std::erf(v * 0.707106781f))");
}

Result<std::string> emit_cast(const NodeSource& node) {
  const std::string from = c_type(node.in().dtype), to = c_type(node.out().dtype);
  if (from.empty() || to.empty())
    return node.refused("it has an element type that the source has not");
  return fmt::format("unary({}, {}, {}, []({} v) {{ return converted<{}>(v); }});\n",
                     node.out().shape.elements(), node.in().name, node.out().name, from, to);
}

// Returns a scale for all, or one for each place along an axis.
Result<std::string> emit_quantization(const NodeSource& node) {
  const bool quantizes = node.op() == "QuantizeLinear";
  const Variable &x = node.in(0), &scale = node.in(1), &y = node.out();
  const std::string whole = c_type(quantizes ? y.dtype : x.dtype);
  if (whole.empty() || whole == "float" || whole == "bool")
    return node.refused("it has an element type that the source has not");
  if (node.integer("block_size", 0) != 0) return node.refused("it quantises in blocks");
  const Strides& dims = x.shape.dims();
  int64_t outer = 1, count = scale.shape.elements(), inner = x.shape.elements();
  if (count != 1) {
    const size_t axis = node.axis(1, dims.size());
    inner = 1;
    for (size_t d = 0; d < dims.size(); ++d) (d < axis ? outer : inner) *= d == axis ? 1 : dims[d];
  }
  const std::string zero =
      node.has(2) ? node.in(2).name : fmt::format("static_cast<const {}*>(nullptr)", whole);
  return fmt::format("{}({}, {}, {}, {}, {}, {}, {});\n", quantizes ? "quantize" : "dequantize",
                     outer, count, inner, x.name, scale.name, zero, y.name);
}

Result<std::string> emit_where(const NodeSource& node) {
  if (c_type(node.out().dtype).empty())
    return node.refused("it has an element type that the source has not");
  const Strides& dims = node.out().shape.dims();
  const WalkOver walk =
      shortest({dims,
                {broadcast_steps(node.in(0).shape, dims), broadcast_steps(node.in(1).shape, dims),
                 broadcast_steps(node.in(2).shape, dims)}});
  return fmt::format("choose({}, {}, {}, {}, {}, {}, {}, {});\n", dims_code(walk.dims),
                     dims_code(walk.steps[0]), dims_code(walk.steps[1]), dims_code(walk.steps[2]),
                     node.in(0).name, node.in(1).name, node.in(2).name, node.out().name);
}

}  // namespace

const std::vector<OperatorSource>& elementwise_sources() {
  static const std::vector<OperatorSource> kSources = [] {
    std::vector<OperatorSource> all = {{"Clip", emit_clip},
                                       {"LeakyRelu", emit_scaled},
                                       {"Elu", emit_scaled},
                                       {"Gelu", emit_gelu},
                                       {"ThresholdedRelu", emit_scaled},
                                       {"HardSigmoid", emit_scaled},
                                       {"Cast", emit_cast},
                                       {"QuantizeLinear", emit_quantization},
                                       {"DequantizeLinear", emit_quantization},
                                       {"Where", emit_where},
                                       {"Not", emit_not}};
    for (const Formula& one : kUnary) all.push_back({one.op, emit_unary});
    for (const Formula& one : kBinary) all.push_back({one.op, emit_binary});
    return all;
  }();
  return kSources;
}

}  // namespace opkit::model_export
