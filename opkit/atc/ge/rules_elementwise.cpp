// Operators whose results depend on the elements at their place.
#include "opkit/atc/ge/emitter.h"
#include "opkit/atc/ge/types.h"

namespace opkit::ge_frontend {
namespace {

using opkit_graph::AttrValue;

// Maps operators to their name in ONNX, which may be the same.
const std::map<std::string, std::string>& names() {
  static const std::map<std::string, std::string> all = {
      {"LogicalNot", "Not"},        {"GreaterEqual", "GreaterOrEqual"},
      {"LessEqual", "LessOrEqual"}, {"LogicalAnd", "And"},
      {"LogicalOr", "Or"},          {"Maximum", "Max"},
      {"Minimum", "Min"},           {"RealDiv", "Div"},
  };
  return all;
}

std::string onnx_type(const Emitter& emit) {
  const auto found = names().find(emit.type());
  return found == names().end() ? emit.type() : found->second;
}

Status unary(Emitter& emit) { return emit.result(onnx_type(emit), {emit.in("x")}); }

Status binary(Emitter& emit) {
  return emit.result(onnx_type(emit), {emit.in("x1"), emit.in("x2")});
}

Status relu6(Emitter& emit) {
  const std::string x = emit.in("x");
  const std::string least = emit.like(x, 0), most = emit.like(x, 6);
  return emit.result("Clip", {x, least, most});
}

Status rsqrt(Emitter& emit) {
  return emit.result("Reciprocal", {emit.inner("Sqrt", {emit.in("x")})});
}

Status square(Emitter& emit) { return emit.result("Mul", {emit.in("x"), emit.in("x")}); }

// base^(scale * x + shift), of which the natural one is there.
Status natural(Emitter& emit) {
  OPKIT_CHECK(emit.only("base", -1.0f));
  OPKIT_CHECK(emit.only("scale", 1.0f));
  OPKIT_CHECK(emit.only("shift", 0.0f));
  return unary(emit);
}

Status elu(Emitter& emit) {
  OPKIT_CHECK(emit.only("scale", 1.0f));
  OPKIT_CHECK(emit.only("input_scale", 1.0f));
  return emit.result("Elu", {emit.in("x")}, {{"alpha", emit.number("alpha")}});
}

Status hard_sigmoid(Emitter& emit) {
  return emit.result("HardSigmoid", {emit.in("input_x")},
                     {{"alpha", emit.number("alpha")}, {"beta", emit.number("beta")}});
}

Status leaky_relu(Emitter& emit) {
  return emit.result("LeakyRelu", {emit.in("x")}, {{"alpha", emit.number("negative_slope")}});
}

// x * sigmoid(scale * x)
Status swish(Emitter& emit) {
  const std::string x = emit.in("x");
  const double scale = emit.number("scale");
  const std::string scaled = scale == 1 ? x : emit.inner("Mul", {x, emit.like(x, scale)});
  return emit.result("Mul", {x, emit.inner("Sigmoid", {scaled})});
}

Status mish(Emitter& emit) {
  const std::string x = emit.in("x");
  return emit.result("Mul", {x, emit.inner("Tanh", {emit.inner("Softplus", {x})})});
}

// Several weights are one for each channel, which lie along dim 1.
Status p_relu(Emitter& emit) {
  OPKIT_TRY(const Shape dims, emit.dims("x"));
  OPKIT_TRY(const Shape weights, emit.dims("weight"));
  std::string slope = emit.in("weight");
  if (weights.rank() == 1 && weights[0] > 1 && dims.rank() > 2) {
    std::vector<int64_t> shape(dims.rank() - 1, 1);
    shape[0] = weights[0];
    slope = emit.inner("Reshape", {slope, emit.constant(shape)});
  }
  return emit.result("PRelu", {emit.in("x"), slope});
}

Status clip_by_value(Emitter& emit) {
  return emit.result("Min", {emit.inner("Max", {emit.in("x"), emit.in("clip_value_min")}),
                             emit.in("clip_value_max")});
}

Status add_n(Emitter& emit) { return emit.result("Sum", emit.all("x")); }

Status select(Emitter& emit) {
  return emit.result("Where", {emit.in("condition"), emit.in("x1"), emit.in("x2")});
}

Status cast(Emitter& emit) {
  OPKIT_TRY(const DType dtype, dtype_of(emit.integer("dst_type"), emit.name()));
  return emit.result("Cast", {emit.in("x")}, {{"to", std::string(name_of(dtype))}});
}

// Writes a BiasAdd along the last dim. In NCHW the place of the channel depends on the rank, which
// the node does not say.
Status bias_add(Emitter& emit) {
  if (emit.text("data_format") != "NHWC")
    return emit.refuse("data_format is " + emit.text("data_format") + ", only NHWC is compiled",
                       "use op::Add with a bias of [C, 1, 1]");
  return emit.result("Add", {emit.in("x"), emit.in("bias")});
}

}  // namespace

Rules elementwise_rules() {
  Rules rules = {{"Relu6", relu6},
                 {"Rsqrt", rsqrt},
                 {"Square", square},
                 {"Exp", natural},
                 {"Log", natural},
                 {"Elu", elu},
                 {"HardSigmoid", hard_sigmoid},
                 {"LeakyRelu", leaky_relu},
                 {"Swish", swish},
                 {"Mish", mish},
                 {"PRelu", p_relu},
                 {"ClipByValue", clip_by_value},
                 {"AddN", add_n},
                 {"Select", select},
                 {"Cast", cast},
                 {"BiasAdd", bias_add}};
  for (const char* type :
       {"Abs", "Ceil", "Cos", "Erf", "Floor", "HardSwish", "Identity", "Neg", "Reciprocal", "Relu",
        "Round", "Sigmoid", "Sign", "Sin", "Softplus", "Softsign", "Sqrt", "Tanh", "LogicalNot"})
    rules[type] = unary;
  for (const char* type :
       {"Add", "Div", "Equal", "Greater", "GreaterEqual", "Less", "LessEqual", "LogicalAnd",
        "LogicalOr", "Maximum", "Minimum", "Mul", "Pow", "RealDiv", "Sub"})
    rules[type] = binary;
  return rules;
}

}  // namespace opkit::ge_frontend
