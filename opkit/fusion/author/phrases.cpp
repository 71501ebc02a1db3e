#include "opkit/fusion/author/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opkit::author {
namespace {

// Operators of one tensor without attributes.
const std::map<std::string, Calls>& plain() {
  static const std::map<std::string, Calls> calls = {
      {"Abs", {"Abs({d}, {a}, count)"}},
      {"Ceil", {"Ceil({d}, {a}, count)"}},
      {"Cos", {"Cos({d}, {a}, count)"}},
      {"Erf", {"Erf({d}, {a}, count)"}},
      {"Exp", {"Exp({d}, {a}, count)"}},
      {"Floor", {"Floor({d}, {a}, count)"}},
      {"HardSwish",
       {"Adds({d}, {a}, 3.0f, count)", "Maxs({d}, {d}, 0.0f, count)", "Mins({d}, {d}, 6.0f, count)",
        "Muls({d}, {d}, 1.0f / 6.0f, count)", "Mul({d}, {d}, {a}, count)"}},
      {"Log", {"Ln({d}, {a}, count)"}},
      {"Neg", {"Muls({d}, {a}, -1.0f, count)"}},
      {"Reciprocal", {"Duplicate({d}, 1.0f, count)", "Div({d}, {d}, {a}, count)"}},
      {"Relu", {"Relu({d}, {a}, count)"}},
      {"Round", {"Rint({d}, {a}, count)"}},
      {"Sigmoid",
       {"Muls({t}, {a}, -1.0f, count)", "Exp({t}, {t}, count)", "Adds({t}, {t}, 1.0f, count)",
        "Duplicate({d}, 1.0f, count)", "Div({d}, {d}, {t}, count)"}},
      {"Sign", {"Sign({d}, {a}, count)"}},
      {"Sin", {"Sin({d}, {a}, count)"}},
      {"Softplus",
       {"Abs({d}, {a}, count)", "Muls({d}, {d}, -1.0f, count)", "Exp({d}, {d}, count)",
        "Adds({d}, {d}, 1.0f, count)", "Ln({d}, {d}, count)", "Relu({t}, {a}, count)",
        "Add({d}, {d}, {t}, count)"}},
      {"Softsign",
       {"Abs({d}, {a}, count)", "Adds({d}, {d}, 1.0f, count)", "Div({d}, {a}, {d}, count)"}},
      {"Sqrt", {"Sqrt({d}, {a}, count)"}},
      {"Tanh", {"Tanh({d}, {a}, count)"}},
  };
  return calls;
}

// Reads a real attribute, or the default that the operator's definition gives it.
double number(const RegionStep& step, const char* name, double otherwise) {
  const auto found = step.attributes.find(name);
  if (found == step.attributes.end()) return otherwise;
  if (const double* real = std::get_if<double>(&found->second)) return *real;
  return otherwise;
}

// scale * (exp(min(a, 0) / width) - 1) + max(a, 0)
Calls exponential(double scale, double width) {
  Calls calls = {"Mins({d}, {a}, 0.0f, count)"};
  if (width != 1) calls.push_back(fmt::format("Muls({{d}}, {{d}}, {}, count)", literal(1 / width)));
  calls.insert(calls.end(), {"Exp({d}, {d}, count)", "Adds({d}, {d}, -1.0f, count)",
                             fmt::format("Muls({{d}}, {{d}}, {}, count)", literal(scale)),
                             "Maxs({t}, {a}, 0.0f, count)", "Add({d}, {d}, {t}, count)"});
  return calls;
}

std::optional<Calls> with_numbers(const RegionStep& step) {
  const std::string& op = step.op_type;
  for (const auto& [name, value] : step.attributes) {
    if (!std::holds_alternative<double>(value)) return std::nullopt;
  }
  if (op == "LeakyRelu") {
    return Calls{
        fmt::format("LeakyRelu({{d}}, {{a}}, {}, count)", literal(number(step, "alpha", 0.01)))};
  }
  if (op == "HardSigmoid") {
    return Calls{fmt::format("Muls({{d}}, {{a}}, {}, count)", literal(number(step, "alpha", 0.2))),
                 fmt::format("Adds({{d}}, {{d}}, {}, count)", literal(number(step, "beta", 0.5))),
                 "Maxs({d}, {d}, 0.0f, count)", "Mins({d}, {d}, 1.0f, count)"};
  }
  if (op == "Elu") return exponential(number(step, "alpha", 1), 1);
  if (op == "Celu") return exponential(number(step, "alpha", 1), number(step, "alpha", 1));
  if (op == "Selu") {
    Calls calls = exponential(number(step, "alpha", 1.67326319217681884765625), 1);
    const double gamma = number(step, "gamma", 1.05070102214813232421875);
    calls.push_back(fmt::format("Muls({{d}}, {{d}}, {}, count)", literal(gamma)));
    return calls;
  }
  return std::nullopt;
}

// {d} = {a} op number, or number op {a}.
std::optional<Calls> with_scalar(const std::string& op, double value, bool scalar_first) {
  const auto one = [&](const char* call, double by) {
    return fmt::format("{}({{d}}, {{a}}, {}, count)", call, literal(by));
  };
  const std::string spread =
      fmt::format("Duplicate({}, {}, count)", scalar_first ? "{d}" : "{t}", literal(value));
  if (op == "Add") return Calls{one("Adds", value)};
  if (op == "Mul") return Calls{one("Muls", value)};
  if (op == "Max") return Calls{one("Maxs", value)};
  if (op == "Min") return Calls{one("Mins", value)};
  if (op == "Sub" && !scalar_first) return Calls{one("Adds", -value)};
  if (op == "Sub") return Calls{spread, "Sub({d}, {d}, {a}, count)"};
  if (op == "Div" && !scalar_first) return Calls{spread, "Div({d}, {a}, {t}, count)"};
  if (op == "Div") return Calls{spread, "Div({d}, {d}, {a}, count)"};
  if (op == "Pow" && !scalar_first && value == 2) return Calls{"Mul({d}, {a}, {a}, count)"};
  if (op == "Pow" && !scalar_first && value == 0.5) return Calls{"Sqrt({d}, {a}, count)"};
  return std::nullopt;
}

std::optional<Calls> of_two(const RegionStep& step) {
  if (step.operands.size() != 2 || !step.attributes.empty()) return std::nullopt;
  const StepOperand &left = step.operands[0], &right = step.operands[1];
  if (left.tensor.empty()) return with_scalar(step.op_type, left.number, true);
  if (right.tensor.empty()) return with_scalar(step.op_type, right.number, false);
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min"}) {
    if (step.op_type == op) return Calls{fmt::format("{}({{d}}, {{a}}, {{b}}, count)", op)};
  }
  return std::nullopt;
}

// Writes Clip with both bounds as numbers; a bound that is left out is infinite, which no call
// takes.
std::optional<Calls> clip(const RegionStep& step) {
  for (size_t i = 1; i < step.operands.size(); ++i) {
    if (!step.operands[i].tensor.empty()) return std::nullopt;
  }
  if (step.operands.size() != 3) return std::nullopt;
  return Calls{
      fmt::format("Maxs({{d}}, {{a}}, {}, count)", literal(step.operands[1].number)),
      fmt::format("Mins({{d}}, {{d}}, {}, count)", literal(step.operands[2].number)),
  };
}

}  // namespace

std::string literal(double value) {
  std::string text = fmt::format("{}", static_cast<float>(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

// The pages of these calls list no Ascend 310B product.
bool small_chips_have(const Calls& calls) {
  return std::none_of(calls.begin(), calls.end(), [](const std::string& call) {
    const std::string name = call.substr(0, call.find('('));
    for (const char* larger : {"Ceil", "Cos", "Erf", "Floor", "Rint", "Sign", "Sin", "Tanh"}) {
      if (name == larger) return true;
    }
    return false;
  });
}

std::optional<Calls> calls_of(const RegionStep& step) {
  for (const StepOperand& operand : step.operands) {
    if (operand.tensor.empty() && !std::isfinite(operand.number)) return std::nullopt;
  }
  if (step.operands.empty() || step.operands[0].tensor.empty()) {
    return step.operands.size() == 2 ? of_two(step) : std::nullopt;
  }
  if (step.op_type == "Clip") return clip(step);
  if (step.operands.size() == 2) return of_two(step);
  if (step.operands.size() != 1) return std::nullopt;
  const auto found = plain().find(step.op_type);
  if (found != plain().end() && step.attributes.empty()) return found->second;
  return with_numbers(step);
}

}  // namespace opkit::author
