#include "opkit/build/source_text/by_name.h"

#include <fmt/format.h>

#include <vector>

#include "opkit/build/source_text/tokens.h"

namespace opkit::source_text {
namespace {

std::vector<std::string> split(const std::string& parameters) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (const char c : parameters) {
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      found.emplace_back();
    else
      found.back() += c;
  }
  return found;
}

bool is_qualifier(std::string_view word) {
  return word == "__gm__" || word == "__restrict__" || word == "__restrict";
}

// Returns the type of `type name`; empty when that is not what it is.
std::string type_of(const std::string& parameter) {
  const std::vector<Token> tokens = tokens_of(parameter);
  if (tokens.size() < 2 || tokens.back().kind != Token::Kind::kWord) return {};
  std::string type;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view word = tokens[i].in(parameter);
    if (word == "*" || word == "GM_ADDR") return "void*";
    if (is_qualifier(word)) continue;
    if (!type.empty() && tokens[i].kind == Token::Kind::kWord && type.back() != ':') type += ' ';
    type += word;
  }
  return type;
}

// Returns the last word in front of an array's brackets; empty when there is a type only.
std::string name_of(const std::string& parameter) {
  std::string_view last;
  size_t words = 0;
  for (const Token& token : tokens_of(parameter)) {
    const std::string_view text = token.in(parameter);
    if (text == "[" || text == "=") break;
    const bool word = token.kind == Token::Kind::kWord && !is_qualifier(text);
    words += word;
    last = word ? text : std::string_view();
  }
  return words < 2 ? std::string() : std::string(last);
}

}  // namespace

std::string parameter_names(const KernelDefinition& kernel) {
  std::string names;
  for (const std::string& parameter : split(kernel.parameters)) names += name_of(parameter) + ",";
  names.pop_back();
  return names;
}

Result<Launcher> launcher_of(const KernelDefinition& kernel, const std::string& file) {
  std::string typed, plain;
  const std::vector<std::string> parameters = split(kernel.parameters);
  for (size_t i = 0; i < parameters.size() && !tokens_of(kernel.parameters).empty(); ++i) {
    const std::string type = type_of(parameters[i]);
    if (type.empty()) {
      return Error("OPK-CC-010",
                   fmt::format("parameter {} of kernel {} is not a type with a name: {}", i + 1,
                               kernel.name, parameters[i]),
                   "write the parameters without macros, or launch with <<<>>>")
          .at({file, kernel.line, 0});
    }
    typed += fmt::format(", {} a{}", type, i);
    plain += fmt::format("{}a{}", i ? ", " : "", i);
  }
  const std::string signature = fmt::format(
      "extern \"C\" uint32_t aclrtlaunch_{}(uint32_t blocks, void* stream{})", kernel.name, typed);
  Launcher launcher;
  launcher.header = "#pragma once\n#include <cstdint>\n\n" + signature +
                    ";\n\n#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) "
                    "aclrtlaunch_##kernel\n#endif\n";
  launcher.definition = fmt::format(
      "\n{} {{\n  ::opkit_launch::Kernel<&{}>::on(\"{}\", blocks, nullptr, stream)({});\n  return "
      "0;\n}}\n",
      signature, kernel.name, kernel.name, plain);
  return launcher;
}

}  // namespace opkit::source_text
