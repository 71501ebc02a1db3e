#include "opkit/source_text/macros.h"

namespace opkit::source_text {
namespace {

using Kind = Token::Kind;

bool is(std::string_view text, const std::vector<Token>& tokens, size_t i, std::string_view sign) {
  return i < tokens.size() && tokens[i].kind != Kind::kLiteral && tokens[i].in(text) == sign;
}

// The byte behind a directive's last line.
size_t directive_end(std::string_view text, size_t at) {
  while (true) {
    const size_t line = text.find('\n', at);
    if (line == std::string_view::npos) return text.size();
    size_t last = line;
    while (last > at && (text[last - 1] == '\r' || text[last - 1] == ' ')) --last;
    if (last == at || text[last - 1] != '\\') return line;
    at = line + 1;
  }
}

// The parameters of a macro whose name is token `name`: only a bracket without a space opens them.
std::vector<std::string> parameters_of(std::string_view text, const std::vector<Token>& tokens,
                                       size_t name) {
  std::vector<std::string> found;
  if (!is(text, tokens, name + 1, "(") || tokens[name + 1].begin != tokens[name].end) return found;
  for (size_t i = name + 2; i < tokens.size() && !is(text, tokens, i, ")"); ++i) {
    if (tokens[i].kind == Kind::kWord) found.emplace_back(tokens[i].in(text));
  }
  return found;
}

const Macro* around(size_t token, const std::vector<Macro>& all) {
  for (const Macro& macro : all) {
    if (macro.begin <= token && token < macro.end) return &macro;
  }
  return nullptr;
}

std::string source_between(size_t from, size_t to, std::string_view text,
                           const std::vector<Token>& tokens) {
  if (from >= to) return {};
  return std::string(text.substr(tokens[from].begin, tokens[to - 1].end - tokens[from].begin));
}

// The arguments of the call whose opening bracket is token `open`.
std::vector<std::string> arguments_at(size_t open, std::string_view text,
                                      const std::vector<Token>& tokens) {
  std::vector<std::string> found;
  int depth = 0;
  size_t from = open + 1;
  for (size_t i = open; i < tokens.size(); ++i) {
    depth += is(text, tokens, i, "(") ? 1 : is(text, tokens, i, ")") ? -1 : 0;
    const bool ends = depth == 0;
    if (!ends && !(depth == 1 && is(text, tokens, i, ","))) continue;
    found.push_back(source_between(from, i, text, tokens));
    from = i + 1;
    if (ends) break;
  }
  return found;
}

}  // namespace

std::vector<Macro> macros_of(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<Macro> macros;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!is(text, tokens, i, "#") || !is(text, tokens, i + 1, "define")) continue;
    Macro macro{std::string(tokens[i + 2].in(text)), parameters_of(text, tokens, i + 2), i, i};
    const size_t end = directive_end(text, tokens[i].begin);
    while (macro.end < tokens.size() && tokens[macro.end].begin < end) ++macro.end;
    i = macro.end - 1;
    macros.push_back(std::move(macro));
  }
  return macros;
}

std::vector<MacroArguments> uses_of(const Macro& macro, const std::vector<Macro>& all,
                                    std::string_view text, const std::vector<Token>& tokens) {
  std::vector<MacroArguments> uses;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is(text, tokens, i, macro.name) || around(i, all)) continue;
    if (i > 0 && (is(text, tokens, i - 1, "undef") || is(text, tokens, i - 1, "ifdef"))) continue;
    MacroArguments arguments;
    const auto given = is(text, tokens, i + 1, "(") ? arguments_at(i + 1, text, tokens)
                                                    : std::vector<std::string>();
    for (size_t p = 0; p < macro.parameters.size() && p < given.size(); ++p) {
      arguments[macro.parameters[p]] = given[p];
    }
    if (arguments.size() == macro.parameters.size()) uses.push_back(std::move(arguments));
  }
  return uses;
}

std::string expanded(size_t from, size_t to, const MacroArguments& arguments, std::string_view text,
                     const std::vector<Token>& tokens) {
  std::string out;
  bool pasting = true;
  for (size_t i = from; i < to; ++i) {
    if (is(text, tokens, i, "#") && is(text, tokens, i + 1, "#")) {
      pasting = true;
      ++i;
      continue;
    }
    if (!pasting && tokens[i].kind == Kind::kWord) out += ' ';
    pasting = false;
    const auto found = arguments.find(tokens[i].in(text));
    out += found != arguments.end() && tokens[i].kind == Kind::kWord
               ? found->second
               : std::string(tokens[i].in(text));
  }
  return out;
}

}  // namespace opkit::source_text
