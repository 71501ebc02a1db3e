#include "opkit/measure/bench/bench_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/infer/infer.h"

namespace opkit::measure {

Result<SaidCall> options_of_case(const OpContract& contract, const Case& one, size_t column) {
  OPKIT_TRY(const AttrValues attrs, contract.complete(one.attrs));
  OPKIT_TRY(const ConcreteShapes shapes, shapes_from_symbols(contract, one.symbols, attrs));
  SaidCall options;
  options.attrs = one.attrs;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    const Port& port = contract.inputs[p];
    for (const Shape& shape : shapes.inputs[p])
      options.shapes[port.name].push_back(fmt::format("{}", fmt::join(shape.dims(), ",")));
    if (shapes.inputs[p].empty()) continue;
    options.dtypes[port.name] = port.dtypes[column];
    options.formats[port.name] = port.formats[column];
  }
  return options;
}

std::string text_of_case(const OpContract& contract, const Case& one) {
  std::vector<std::string> parts;
  for (const Symbol& symbol : contract.symbols) {
    if (const auto dim = one.symbols.dims.find(symbol.name); dim != one.symbols.dims.end())
      parts.push_back(fmt::format("{}={}", symbol.name, dim->second));
    if (const auto list = one.symbols.lists.find(symbol.name); list != one.symbols.lists.end())
      parts.push_back(fmt::format("{}=[{}]", symbol.name, fmt::join(list->second, ", ")));
  }
  for (const auto& [name, value] : one.attrs)
    parts.push_back(fmt::format("{}={}", name, to_string(value)));
  for (const std::string& name : one.symbols.absent) parts.push_back("without " + name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool on_chip(const OpContract& contract, size_t column, const SocSpec& soc) {
  const auto wide = [&](const Port& port) { return port.dtypes[column] == DType::kBFloat16; };
  return soc.has_bfloat16() ||
         (std::none_of(contract.inputs.begin(), contract.inputs.end(), wide) &&
          std::none_of(contract.outputs.begin(), contract.outputs.end(), wide));
}

Result<const Case*> bench_case(const OpContract& contract, int64_t number) {
  if (number >= 1 && static_cast<size_t>(number) <= contract.bench.size())
    return &contract.bench[static_cast<size_t>(number - 1)];
  if (contract.bench.empty())
    return Error("OPK-CLI-022", fmt::format("the contract of {} has no bench shapes", contract.op),
                 fmt::format("give --shape {}=..., or add bench: {{shapes: [...]}} to the contract",
                             contract.inputs.empty() ? "x" : contract.inputs[0].name));
  return Error("OPK-CLI-022",
               fmt::format("the contract of {} has {} bench shapes, not {}", contract.op,
                           contract.bench.size(), number),
               fmt::format("--case {}", contract.bench.size()));
}

}  // namespace opkit::measure
