#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/fusion/author/formula.h"
#include "opkit/fusion/author/op_files.h"

namespace opkit::author {
namespace {

// Returns the symbol of an input's dims: S where they are the result's, else one of its own, so
// that the op takes every other broadcast, too.
std::vector<std::string> symbols_of(const ElementwiseRegion& region) {
  std::vector<std::string> symbols;
  size_t repeated = 0;
  for (const RegionInput& input : region.inputs)
    symbols.push_back(input.shape == region.shape ? "S" : fmt::format("B{}", ++repeated));
  return symbols;
}

std::vector<std::string> distinct(std::vector<std::string> symbols) {
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

std::string number(double value) {
  const std::string text = fmt::format("{}", static_cast<float>(value));
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string step_text(const RegionStep& step) {
  std::vector<std::string> operands;
  for (const StepOperand& operand : step.operands)
    operands.push_back(operand.tensor.empty() ? fmt::format("{{const: {}}}", number(operand.number))
                                              : operand.tensor);
  std::string text = fmt::format("  - {{op: {}, in: [{}], out: {}", step.op_type,
                                 fmt::join(operands, ", "), step.result);
  std::vector<std::string> attributes;
  for (const auto& [name, value] : step.attributes)
    attributes.push_back(fmt::format("{}: {}", name, number(std::get<double>(value))));
  if (!attributes.empty()) text += fmt::format(", attrs: {{{}}}", fmt::join(attributes, ", "));
  return text + "}\n";
}

std::string dims_text(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.dims(), ", "));
}

// Returns one test or bench case: dims by symbol.
std::string case_text(const std::vector<std::string>& symbols,
                      const std::map<std::string, std::string>& dims) {
  std::vector<std::string> parts;
  for (const std::string& symbol : symbols)
    parts.push_back(fmt::format("{}: {}", symbol, dims.at(symbol)));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

// Small calls of every kind of broadcast between the symbols.
std::string test_cases(const std::vector<std::string>& symbols) {
  const auto all = [&](const std::string& dims) {
    std::map<std::string, std::string> same;
    for (const std::string& symbol : symbols) same[symbol] = dims;
    return same;
  };
  std::string text;
  for (const char* dims : {"[1]", "[31]", "[2048, 7]"})
    text += fmt::format("    - {}\n", case_text(symbols, all(dims)));
  if (symbols.size() < 2) return text;
  for (const char* repeated : {"[40]", "[17, 1]", "[1]"}) {
    std::map<std::string, std::string> dims = all(repeated);
    dims[symbols.back()] = "[17, 40]";
    text += fmt::format("    - {}\n", case_text(symbols, dims));
  }
  return text;
}

std::string output_shape(const std::vector<std::string>& symbols) {
  return symbols.size() == 1 ? symbols[0] + ".."
                             : fmt::format("broadcast({})", fmt::join(symbols, ", "));
}

std::string ranks_rule(const std::vector<std::string>& symbols) {
  std::vector<std::string> rules;
  for (const std::string& symbol : symbols) rules.push_back(fmt::format("rank({}) <= 8", symbol));
  return fmt::format("{}", fmt::join(rules, " and "));
}

}  // namespace

std::string contract_text(const ElementwiseRegion& region, const OpNames& names) {
  const std::vector<std::string> symbols = symbols_of(region), distinct_symbols = distinct(symbols);
  std::string text = fmt::format(
      "# What {} is: {}. Everything else - inference, checks, tests, benchmark cases, the docs "
      "page "
      "- follows from here.\n"
      "op: {}\nversion: \"1.0.0\"\ndoc: \"{}, element by element.\"\ninputs:\n",
      names.op, names.source, names.op, operators_of(region));
  std::map<std::string, std::string> bench;
  for (size_t i = 0; i < region.inputs.size(); ++i) {
    text += fmt::format("  {}: {{dtype: T, shape: \"{}..\", format: ND}}\n", region.inputs[i].name,
                        symbols[i]);
    bench[symbols[i]] = dims_text(region.inputs[i].shape);
  }
  text += fmt::format(
      "outputs:\n  y: {{dtype: T, shape: \"{}\", format: ND}}\n"
      "types: {{T: [{}]}}\n"
      "where:\n  C1: {{rule: \"{}\", why: \"the host API passes at most 8 dims\"}}\nreference:\n",
      output_shape(distinct_symbols), names.types, ranks_rule(distinct_symbols));
  for (const RegionStep& step : region.steps) text += step_text(step);
  text += "numeric: {accumulate: float32, overflow: inf, nan: propagate}\n";
  text += fmt::format("soc: [{}]\ntests:\n  shapes:\n{}", fmt::join(chips_of(region), ", "),
                      test_cases(distinct_symbols));
  text += fmt::format("bench:\n  shapes: [{}]\n", case_text(distinct_symbols, bench));
  return text;
}

}  // namespace opkit::author
