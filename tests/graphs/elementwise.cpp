// Operators that compute element by element.
#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

bool unary(Maker& make) {
  static const std::vector<std::pair<const char*, int>> kOps = {
      {"Relu", 6},     {"Sigmoid", 6},    {"Tanh", 6},     {"Abs", 6},      {"Neg", 6},
      {"Floor", 6},    {"Ceil", 6},       {"Exp", 6},      {"Softplus", 1}, {"Selu", 6},
      {"Erf", 9},      {"Sign", 9},       {"Round", 11},   {"Sin", 7},      {"Cos", 7},
      {"Atan", 7},     {"Asinh", 9},      {"Identity", 1}, {"Mish", 18},    {"Gelu", 20},
      {"Softsign", 1}, {"HardSwish", 14}, {"IsNaN", 9}};
  const auto& [op, version] = make.one_of(kOps);
  return make.since(version) && make.add(op, {make.value()});
}

bool shaped(Maker& make) {
  static const std::vector<std::pair<const char*, int>> kOps = {
      {"LeakyRelu", 6}, {"Elu", 6}, {"Celu", 12}, {"ThresholdedRelu", 10}};
  const auto& [op, version] = make.one_of(kOps);
  Attributes attributes;
  if (make.maybe()) attributes["alpha"] = static_cast<double>(make.number(1, 12)) / 4;
  return make.since(version) && make.add(op, {make.value()}, attributes);
}

bool hard_sigmoid(Maker& make) {
  Attributes attributes;
  if (make.maybe()) attributes["alpha"] = 0.5;
  if (make.maybe()) attributes["beta"] = 0.25;
  return make.add("HardSigmoid", {make.value()}, attributes);
}

bool shrink(Maker& make) {
  Attributes attributes;
  if (make.maybe()) attributes["bias"] = 0.5;
  if (make.maybe()) attributes["lambd"] = 1.0;
  return make.since(9) && make.add("Shrink", {make.value()}, attributes);
}

bool clip(Maker& make) {
  const bool low = make.maybe(), high = make.maybe();
  const double least = -static_cast<double>(make.number(0, 5)) / 4;
  const double most = static_cast<double>(make.number(0, 6)) / 4;
  if (make.since(11)) {
    return make.add("Clip",
                    {make.value(), low ? make.scalar(least) : "", high ? make.scalar(most) : ""});
  }
  Attributes attributes;
  if (low) attributes["min"] = least;
  if (high) attributes["max"] = most;
  return make.add("Clip", {make.value()}, attributes);
}

Shape partner(Maker& make, Shape shape) {
  for (int64_t& dim : shape.dims()) {
    if (make.maybe(40)) dim = 1;
  }
  while (shape.rank() > 0 && make.maybe(30)) shape.dims().erase(shape.dims().begin());
  return shape;
}

bool binary(Maker& make) {
  static const std::vector<const char*> kOps = {"Add", "Sub", "Mul", "Div", "Add", "Mul"};
  const std::string a = make.value();
  const std::string op = make.one_of(kOps);
  if (make.maybe(30)) return make.add(op, {a, make.value()});
  const Shape shape = partner(make, make.shape(a));
  const std::string b = op == "Div" ? make.floats(shape, 0.5, 2) : make.floats(shape);
  const bool first = make.maybe(70) || op == "Div";
  return first ? make.add(op, {a, b}) : make.add(op, {b, a});
}

bool neutral(Maker& make) {
  const std::string a = make.value();
  const bool sum = make.maybe();
  return make.add(sum ? "Add" : "Mul", {a, make.scalar(sum ? 0 : 1)});
}

bool power(Maker& make) {
  const std::string x = make.value();
  const double exponent = make.one_of<double>({2, 2, 3, 1, 0});
  return make.add("Pow",
                  {x, make.maybe() || !make.since(12) ? make.scalar(exponent)
                                                      : make.scalar(exponent, DType::kInt64)});
}

// Operands of other shapes since version 8.
bool many(Maker& make) {
  static const std::vector<const char*> kOps = {"Sum", "Max", "Min", "Mean"};
  const std::string x = make.value();
  std::vector<std::string> operands = {x};
  for (int64_t i = make.number(0, 3); i > 0; --i) {
    const Shape shape = make.since(8) ? partner(make, make.shape(x)) : make.shape(x);
    operands.push_back(make.floats(shape));
  }
  return make.add(make.one_of(kOps), operands);
}

bool prelu(Maker& make) {
  const std::string x = make.value(1);
  return !x.empty() && make.add("PRelu", {x, make.floats(partner(make, make.shape(x)))});
}

bool comparison(Maker& make) {
  static const std::vector<std::pair<const char*, int>> kOps = {
      {"Greater", 9}, {"Less", 9}, {"GreaterOrEqual", 12}, {"LessOrEqual", 12}, {"Equal", 11}};
  const auto& [op, version] = make.one_of(kOps);
  const std::string a = make.value();
  return make.since(version) && make.add(op, {a, make.floats(partner(make, make.shape(a)))});
}

bool modulo(Maker& make) {
  const std::string x = make.value();
  return make.since(10) &&
         make.add("Mod", {x, make.floats(make.shape(x), 0.5, 2)}, {{"fmod", int64_t{1}}});
}

// To another type and back.
bool cast(Maker& make) {
  return make.add("Cast", {make.value()}, {{"to", make.one_of<int64_t>({1, 6, 7, 9, 10, 11})}});
}

bool dropout(Maker& make) {
  std::vector<std::string> inputs = {make.value()};
  Attributes attributes;
  if (make.since(12)) {
    if (make.maybe()) inputs.push_back(make.scalar(0.25));
    if (inputs.size() == 2 && make.maybe()) inputs.push_back(make.scalar(0, DType::kBool));
  } else if (make.maybe()) {
    attributes["ratio"] = 0.25;
  }
  return make.add("Dropout", inputs, attributes, make.maybe() ? 2 : 1);
}

}  // namespace

const std::vector<Adder>& elementwise_adders() {
  static const std::vector<Adder> kAdders = {
      unary, shaped,     hard_sigmoid, shrink, clip, clip,    binary,  binary, power,
      many,  comparison, prelu,        modulo, cast, dropout, neutral, unary};
  return kAdders;
}

}  // namespace opkit::graph_tests
