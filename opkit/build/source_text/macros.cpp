#include "opkit/build/source_text/macros.h"

namespace opkit::source_text {
namespace {

using Kind = Token::Kind;

bool is(std::string_view text, const std::vector<Token>& tokens, size_t i, std::string_view sign) {
  return i < tokens.size() && tokens[i].kind != Kind::kLiteral && tokens[i].in(text) == sign;
}

// Returns the byte behind a directive's last line.
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

// Returns the parameters of a macro whose name is token `name`: only a bracket without a space
// opens them.
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

// Tokens [from, to) as they stand, or with the arguments of the macro in whose body they are.
std::string source_between(size_t from, size_t to, const MacroArguments& around,
                           std::string_view text, const std::vector<Token>& tokens) {
  if (from >= to) return {};
  if (!around.empty()) return expanded(from, to, around, text, tokens);
  return std::string(text.substr(tokens[from].begin, tokens[to - 1].end - tokens[from].begin));
}

// Returns the arguments of the call whose opening bracket is token `open`.
std::vector<std::string> arguments_at(size_t open, const MacroArguments& around,
                                      std::string_view text, const std::vector<Token>& tokens) {
  std::vector<std::string> found;
  int depth = 0;
  size_t from = open + 1;
  for (size_t i = open; i < tokens.size(); ++i) {
    depth += is(text, tokens, i, "(") ? 1 : is(text, tokens, i, ")") ? -1 : 0;
    const bool ends = depth == 0;
    if (!ends && !(depth == 1 && is(text, tokens, i, ","))) continue;
    found.push_back(source_between(from, i, around, text, tokens));
    from = i + 1;
    if (ends) break;
  }
  return found;
}

// Returns what the macro's parameters stand for in the call at token `at`; false: it is no call of
// it.
bool match(const Macro& macro, size_t at, const MacroArguments& around, std::string_view text,
           const std::vector<Token>& tokens, MacroArguments& arguments) {
  const auto given = is(text, tokens, at + 1, "(") ? arguments_at(at + 1, around, text, tokens)
                                                   : std::vector<std::string>();
  for (size_t p = 0; p < macro.parameters.size() && p < given.size(); ++p)
    arguments[macro.parameters[p]] = given[p];
  return arguments.size() == macro.parameters.size();
}

// Uses of macros, each worked out once; what a macro says of itself is left alone.
class Uses {
 public:
  Uses(const std::vector<Macro>& all, std::string_view text, const std::vector<Token>& tokens)
      : all_(all), text_(text), tokens_(tokens) {}

  const std::vector<MacroArguments>& of(const Macro& macro) {
    const auto [known, is_new] = known_.try_emplace(&macro);
    if (!is_new) return known->second;
    std::vector<MacroArguments> uses;
    for (size_t i = 0; i < tokens_.size() && uses.size() < kMost; ++i) {
      if (is(text_, tokens_, i, macro.name) && !is_told_of(i)) add(macro, i, uses);
    }
    return known_[&macro] = std::move(uses);
  }

 private:
  static constexpr size_t kMost = 4096;

  // Tells whether the token stands in a directive that says something of the macro.
  bool is_told_of(size_t i) const {
    if (i == 0) return false;
    return is(text_, tokens_, i - 1, "undef") || is(text_, tokens_, i - 1, "ifdef") ||
           is(text_, tokens_, i - 1, "define");
  }

  void add(const Macro& macro, size_t i, std::vector<MacroArguments>& uses) {
    const Macro* holder = around(i, all_);
    const std::vector<MacroArguments> once(1);
    for (const MacroArguments& given : holder ? of(*holder) : once) {
      MacroArguments arguments;
      if (match(macro, i, given, text_, tokens_, arguments)) uses.push_back(std::move(arguments));
    }
  }

  const std::vector<Macro>& all_;
  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::map<const Macro*, std::vector<MacroArguments>> known_;
};

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
  return Uses(all, text, tokens).of(macro);
}

std::string called(size_t at, const MacroArguments& arguments, const std::vector<Macro>& all,
                   std::string_view text, const std::vector<Token>& tokens) {
  for (const Macro& macro : all) {
    if (macro.parameters.empty() || !is(text, tokens, at, macro.name)) continue;
    MacroArguments own;
    if (!match(macro, at, arguments, text, tokens, own)) continue;
    size_t body = macro.begin + 3;
    while (body < macro.end && !is(text, tokens, body, ")")) ++body;
    return expanded(body + 1, macro.end, own, text, tokens);
  }
  return {};
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
