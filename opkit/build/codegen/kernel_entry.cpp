#include "opkit/build/codegen/kernel_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/base/suggest.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::codegen {
namespace {

std::vector<std::string> argument_names(const OpContract& contract) {
  std::vector<std::string> names;
  for (const Port& port : contract.inputs) names.push_back(port.name);
  for (const Port& port : contract.outputs) names.push_back(port.name);
  names.insert(names.end(), {"workspace", "tiling"});
  return names;
}

std::string declaration(const KernelPlan& plan) {
  std::vector<std::string> parameters;
  for (const std::string& name : argument_names(*plan.contract))
    parameters.push_back("GM_ADDR " + name);
  return fmt::format("extern \"C\" __global__ __aicore__ void {}({})", plan.entry,
                     fmt::join(parameters, ", "));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const source_text::Token& token : source_text::tokens_of(text)) {
    if (token.kind == source_text::Token::Kind::kWord) words.emplace_back(token.in(text));
  }
  return words;
}

// Tells whether the parameter is a number. A type that is not in the list may be an alias of an
// address.
bool is_number(const std::string& parameter) {
  static const std::set<std::string> kNumbers = {
      "bool",    "char",    "short",    "int",    "long",     "unsigned",
      "float",   "double",  "half",     "int8_t", "int16_t",  "int32_t",
      "int64_t", "uint8_t", "uint16_t", "size_t", "uint32_t", "uint64_t"};
  if (parameter.find('*') != std::string::npos) return false;
  const auto words = words_of(parameter);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return kNumbers.count(word) > 0; });
}

// A macro may stand for several parameters.
bool may_be_macro(const std::string& parameter) {
  return words_of(parameter).size() == 1 && parameter != "GM_ADDR" &&
         parameter.find('*') == std::string::npos;
}

Error at_function(const GlobalFunction& function, const char* code, std::string message,
                  std::string action) {
  return Error(code, std::move(message), std::move(action)).at({function.file, function.line, 0});
}

Error no_entry(const KernelPlan& plan) {
  const auto& functions = plan.source.functions;
  const std::string file = plan.file.filename().string();
  if (functions.empty()) {
    return Error("OPK-GEN-010", fmt::format("{} defines no kernel function {}", file, plan.entry),
                 "write " + declaration(plan))
        .at({plan.file.string(), 1, 0});
  }
  std::vector<std::string> names;
  for (const GlobalFunction& function : functions) names.push_back(function.name);
  const std::string name = nearest(plan.entry, names).value_or(names.front());
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const GlobalFunction& one) { return one.name == name; });
  return at_function(
      *found, "OPK-GEN-010",
      fmt::format("{} defines no kernel function {}, but {}", file, plan.entry,
                  fmt::join(names, ", ")),
      fmt::format("call it {}, or write kernel: {{entry: {}}} in the contract", plan.entry, name));
}

std::optional<Error> wrong_arguments(const KernelPlan& plan, const GlobalFunction& function) {
  const auto& parameters = function.parameters;
  if (std::any_of(parameters.begin(), parameters.end(), may_be_macro)) return std::nullopt;
  const auto number = std::find_if(parameters.begin(), parameters.end(), is_number);
  const std::string wants =
      fmt::format("the contract makes {}", fmt::join(argument_names(*plan.contract), ", "));
  if (number != parameters.end()) {
    return at_function(
        function, "OPK-GEN-011",
        fmt::format("parameter {} of {} is '{}', and a kernel gets addresses only: {}",
                    number - parameters.begin() + 1, plan.entry, *number, wants),
        "pass numbers in the tiling data: " + declaration(plan));
  }
  if (parameters.size() == argument_count(*plan.contract)) return std::nullopt;
  return at_function(function, "OPK-GEN-011",
                     fmt::format("{} takes {} arguments, not {}: {}", plan.entry, parameters.size(),
                                 argument_count(*plan.contract), wants),
                     "write " + declaration(plan));
}

}  // namespace

Status check_entry(const KernelPlan& plan) {
  const KernelSource& source = plan.source;
  if (!source.names_entry) {
    if (source.pastes_names) return {};
    return no_entry(plan);
  }
  std::optional<Error> first;
  for (const GlobalFunction& function : source.functions) {
    if (function.name != plan.entry) continue;
    auto wrong = wrong_arguments(plan, function);
    if (!wrong) return {};  // suffices: one branch of an #if has to fit
    if (!first) first = std::move(wrong);
  }
  if (first) return *std::move(first);
  return {};
}

}  // namespace opkit::codegen
