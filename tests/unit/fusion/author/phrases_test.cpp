// Every phrase against the operator's definition: its calls are carried out on scalars here, by
// code that shares nothing with the engine.
#include "opkit/fusion/author/phrases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "opkit/reference/evaluate.h"

namespace opkit::author {
namespace {

using Values = std::map<std::string, double>;

double value_of(const std::string& word, const Values& values) {
  if (word == "1.0f / 6.0f") return 1.0 / 6.0;
  return word[0] == '{' ? values.at(word) : std::stod(word);
}

double one(const std::string& name, double a) {
  static const std::map<std::string, double (*)(double)> calls = {
      {"Abs", [](double v) { return std::fabs(v); }},
      {"Ceil", [](double v) { return std::ceil(v); }},
      {"Cos", [](double v) { return std::cos(v); }},
      {"Erf", [](double v) { return std::erf(v); }},
      {"Exp", [](double v) { return std::exp(v); }},
      {"Floor", [](double v) { return std::floor(v); }},
      {"Ln", [](double v) { return std::log(v); }},
      {"Relu", [](double v) { return std::fmax(v, 0); }},
      {"Rint", [](double v) { return std::nearbyint(v); }},
      {"Sign", [](double v) { return v < 0   ? -1.0
                                     : v > 0 ? 1.0
                                             : 0.0; }},
      {"Sin", [](double v) { return std::sin(v); }},
      {"Sqrt", [](double v) { return std::sqrt(v); }},
      {"Tanh", [](double v) { return std::tanh(v); }},
      {"Duplicate", [](double v) { return v; }},
  };
  return calls.at(name)(a);
}

double two(const std::string& name, double a, double b) {
  static const std::map<std::string, double (*)(double, double)> calls = {
      {"Add", [](double v, double w) { return v + w; }},
      {"Adds", [](double v, double w) { return v + w; }},
      {"Sub", [](double v, double w) { return v - w; }},
      {"Mul", [](double v, double w) { return v * w; }},
      {"Muls", [](double v, double w) { return v * w; }},
      {"Div", [](double v, double w) { return v / w; }},
      {"Max", [](double v, double w) { return std::fmax(v, w); }},
      {"Maxs", [](double v, double w) { return std::fmax(v, w); }},
      {"Min", [](double v, double w) { return std::fmin(v, w); }},
      {"Mins", [](double v, double w) { return std::fmin(v, w); }},
      {"LeakyRelu", [](double v, double w) { return v < 0 ? v * w : v; }},
  };
  return calls.at(name)(a, b);
}

// "Adds({d}, {a}, 3.0f, count)" as words: name, target, operands.
std::vector<std::string> words_of(const std::string& call) {
  std::vector<std::string> words = {call.substr(0, call.find('('))};
  std::istringstream rest(call.substr(call.find('(') + 1));
  for (std::string word; std::getline(rest, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    words.push_back(word);
  }
  words.pop_back();  // count)
  return words;
}

double computed(const RegionStep& step, double a, double b) {
  Values values = {{"{a}", a}, {"{b}", b}, {"{d}", 1e30}, {"{t}", -1e30}};
  const auto calls = calls_of(step);
  EXPECT_TRUE(calls) << step.op_type;
  for (const std::string& call : calls.value_or(Calls{})) {
    const std::vector<std::string> words = words_of(call);
    const double left = value_of(words[2], values);
    values[words[1]] =
        words.size() == 3 ? one(words[0], left) : two(words[0], left, value_of(words[3], values));
  }
  return values["{d}"];
}

double defined(const RegionStep& step, double a, double b) {
  graph::Node node{step.op_type, {}, {"y"}, step.attributes};
  std::vector<graph::RefTensor> tensors;
  size_t read = 0;
  for (const StepOperand& operand : step.operands) {
    const double value = operand.tensor.empty() ? operand.number : read++ == 0 ? a : b;
    tensors.push_back({DType::kFloat32, Shape(), {value}});
    node.inputs.push_back("v" + std::to_string(tensors.size()));
  }
  std::vector<const graph::RefTensor*> inputs;
  for (const graph::RefTensor& tensor : tensors) inputs.push_back(&tensor);
  const auto outputs = reference::evaluate_node(node, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return outputs.ok() ? (*outputs)[0][0] : 0;
}

const StepOperand kA{"a", 0}, kB{"b", 0};
StepOperand constant(double value) { return {"", value}; }

std::vector<RegionStep> steps() {
  std::vector<RegionStep> all;
  for (const char* op : {"Abs",       "Ceil",      "Cos",         "Erf",        "Exp",      "Floor",
                         "HardSwish", "Log",       "Neg",         "Reciprocal", "Relu",     "Round",
                         "Sigmoid",   "Sign",      "Sin",         "Softplus",   "Softsign", "Sqrt",
                         "Tanh",      "LeakyRelu", "HardSigmoid", "Elu",        "Celu",     "Selu"})
    all.push_back({op, {kA}, {}, "y"});
  for (const char* op : {"LeakyRelu", "Elu", "Celu"})
    all.push_back({op, {kA}, {{"alpha", 0.75}}, "y"});
  all.push_back({"HardSigmoid", {kA}, {{"alpha", 0.3}, {"beta", 0.25}}, "y"});
  all.push_back({"Selu", {kA}, {{"alpha", 1.5}, {"gamma", 0.5}}, "y"});
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min"}) {
    all.push_back({op, {kA, kB}, {}, "y"});
    all.push_back({op, {kA, constant(0.625)}, {}, "y"});
    all.push_back({op, {constant(0.625), kA}, {}, "y"});
  }
  for (const double exponent : {2.0, 0.5})
    all.push_back({"Pow", {kA, constant(exponent)}, {}, "y"});
  all.push_back({"Clip", {kA, constant(-0.5), constant(1.25)}, {}, "y"});
  return all;
}

std::string label(const RegionStep& step, double a, double b) {
  std::string text = step.op_type + " of";
  for (const StepOperand& operand : step.operands)
    text += " " + (operand.tensor.empty() ? std::to_string(operand.number) : operand.tensor);
  return text + " at " + std::to_string(a) + ", " + std::to_string(b);
}

TEST(Phrases, ComputeWhatTheOperatorsSay) {
  for (const RegionStep& step : steps()) {
    for (const double a : {-3.5, -1.0, -0.25, 0.5, 1.0, 2.5, 7.0}) {
      const double b = 1.75;
      const double wanted = defined(step, a, b), got = computed(step, a, b);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << label(step, a, b);
      } else {
        EXPECT_NEAR(got, wanted, 1e-6 * std::fmax(1, std::fabs(wanted))) << label(step, a, b);
      }
    }
  }
}

TEST(Phrases, WhatHasNoFormulaIsNotGuessed) {
  for (const RegionStep& step :
       std::vector<RegionStep>{{"Mish", {kA}, {}, "y"},
                               {"Gelu", {kA}, {{"approximate", "tanh"}}, "y"},
                               {"Relu", {kA}, {{"alpha", 0.5}}, "y"},
                               {"Pow", {kA, constant(3)}, {}, "y"},
                               {"Pow", {constant(2), kA}, {}, "y"},
                               {"Add", {kA, constant(INFINITY)}, {}, "y"},
                               {"Clip", {kA, constant(NAN), constant(6)}, {}, "y"},
                               {"Clip", {kA, kB, constant(6)}, {}, "y"},
                               {"Max", {kA, kB, kA}, {}, "y"},
                               {"Add", {}, {}, "y"}}) {
    EXPECT_FALSE(calls_of(step)) << step.op_type;
  }
}

TEST(Phrases, ChipsAreThoseThatHaveEveryCall) {
  EXPECT_TRUE(small_chips_have(*calls_of({"Sigmoid", {kA}, {}, "y"})));
  EXPECT_FALSE(small_chips_have(*calls_of({"Tanh", {kA}, {}, "y"})));
  EXPECT_FALSE(small_chips_have(*calls_of({"Round", {kA}, {}, "y"})));
}

}  // namespace
}  // namespace opkit::author
