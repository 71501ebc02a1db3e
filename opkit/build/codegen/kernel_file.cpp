#include "opkit/build/codegen/kernel_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/build/codegen/task_type.h"
#include "opkit/build/source_text/source.h"

namespace opkit::codegen {
namespace {

using source_text::Token;
using Kind = Token::Kind;

bool is_cube_call(std::string_view word) {
  static const std::set<std::string_view> kCalls = {
      "Mmad", "Fixpipe", "LoadData", "LoadDataWithTranspose", "REGIST_MATMUL_OBJ", "IterateAll"};
  return kCalls.count(word) != 0;
}

// One open brace or parenthesis.
struct Scope {
  enum Type { kOther, kNamespace, kEnum, kConstant } type = kOther;
  std::string name;
};

class FileReader {
 public:
  FileReader(const std::string& text, const std::string& file, const std::vector<Token>& tokens,
             KernelReading& reading)
      : text_(text), file_(file), tokens_(tokens), out_(reading) {}

  Status run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "#")) note_directive(i);
      if (is(i, "#") && is(i + 1, "#")) out_.result.pastes_names = true;
      if (tokens_[i].kind == Kind::kWord) OPKIT_CHECK(word_at(i));
      if (tokens_[i].kind == Kind::kSign) sign_at(i);
    }
    return {};
  }

 private:
  std::string_view word(size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(text_) : std::string_view();
  }
  bool is(size_t i, std::string_view what) const {
    return i < tokens_.size() && tokens_[i].kind != Kind::kLiteral &&
           tokens_[i].kind != Kind::kInclude && word(i) == what;
  }
  bool is_word(size_t i) const { return i < tokens_.size() && tokens_[i].kind == Kind::kWord; }

  // Returns the source from token `from` up to token `to`, which is not part of it.
  std::string text(size_t from, size_t to) const {
    if (from >= to || to > tokens_.size()) return {};
    std::string out;
    for (size_t i = from; i < to; ++i) {
      const bool apart = i > from && tokens_[i].begin != tokens_[i - 1].end;
      if (apart) out += ' ';
      out += word(i);
    }
    return out;
  }

  // Returns the token that closes the bracket at `open`; tokens_.size() when none does.
  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if (is(i, ")") || is(i, "]") || is(i, "}")) --depth;
      if (depth == 0) return i;
    }
    return tokens_.size();
  }

  // Returns the arguments of a call whose "(" is at `open`, as token ranges.
  std::vector<std::pair<size_t, size_t>> arguments(size_t open) const {
    std::vector<std::pair<size_t, size_t>> parts;
    const size_t end = closing(open);
    size_t from = open + 1;
    for (size_t i = from; i <= end && i < tokens_.size(); ++i) {
      if (i == end || is(i, ",")) {
        if (i > from) parts.emplace_back(from, i);
        from = i + 1;
      } else if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing(i);
      }
    }
    return parts;
  }

  Error error(const char* code, size_t i, std::string message, std::string action) const {
    return Error(code, std::move(message), std::move(action))
        .at({file_, i < tokens_.size() ? tokens_[i].line : 0, 0});
  }

  // ---- where a token stands

  void note_directive(size_t i) {
    directive_line_ = tokens_[i].line;
    directive_ = std::string(word(i + 1));
    if (directive_ != "define" || !is_word(i + 2)) return;
    const bool has_arguments = is(i + 3, "(") && tokens_[i + 3].begin == tokens_[i + 2].end;
    if (has_arguments) return;
    size_t value = i + 3;
    while (is(value, "(") && tokens_[value].line == directive_line_) ++value;
    const bool number = value < tokens_.size() && tokens_[value].line == directive_line_ &&
                        literal_key(std::string(word(value))).has_value();
    out_.names.emplace(word(i + 2), word(number ? value : i + 2));
  }
  bool in_directive(size_t i) const { return tokens_[i].line == directive_line_; }
  bool in_condition(size_t i) const {
    return in_directive(i) && (directive_ == "if" || directive_ == "elif");
  }

  void sign_at(size_t i) {
    const char c = word(i).empty() ? '\0' : word(i)[0];
    if (in_directive(i)) return;
    if (c == '{' || c == '(') {
      scopes_.push_back(opened(i));
    } else if ((c == '}' || c == ')') && !scopes_.empty()) {
      scopes_.pop_back();
    }
    if (c == ';' || c == '{' || c == '}') constant_statement_ = false;
    note_constant(i);
  }

  Scope opened(size_t i) const {
    if (is(i, "(")) {
      const bool constant = i > 0 && (is(i - 1, "static_assert") || is(i - 1, "constexpr"));
      return {constant ? Scope::kConstant : Scope::kOther, {}};
    }
    if (i > 0 && tokens_[i - 1].kind == Kind::kLiteral && i > 1 && is(i - 2, "extern")) {
      return {Scope::kNamespace, {}};
    }
    size_t head = i;
    while (head > 0 && (is_word(head - 1) || is(head - 1, ":"))) --head;
    for (size_t w = head; w < i; ++w) {
      if (is(w, "namespace")) {
        std::string name = text(w + 1, i);
        return {Scope::kNamespace, name.empty() ? name : name + "::"};
      }
      if (is(w, "enum") && !is(w + 1, "class") && !is(w + 1, "struct")) return {Scope::kEnum, {}};
    }
    return {};
  }

  // The namespaces around; false inside of anything else.
  bool at_namespace_level(bool enums, std::string& qualified) const {
    for (const Scope& scope : scopes_) {
      if (scope.type != Scope::kNamespace && !(enums && scope.type == Scope::kEnum)) return false;
      qualified += scope.name;
    }
    return true;
  }

  // `NAME =` of a constant, or an enumerator.
  void note_constant(size_t i) {
    std::string qualified;
    const bool enumerator = !scopes_.empty() && scopes_.back().type == Scope::kEnum &&
                            (is(i, "{") || is(i, ",")) && is_word(i + 1);
    if (enumerator && at_namespace_level(true, qualified)) {
      out_.names.emplace(word(i + 1), qualified + std::string(word(i + 1)));
    } else if (is(i, "=") && i > 0 && is_word(i - 1) && constant_statement_ &&
               at_namespace_level(false, qualified)) {
      const std::string value(word(i + 1));
      const bool number = is(i + 2, ";") && literal_key(value).has_value();
      out_.names.emplace(word(i - 1), number ? value : qualified + std::string(word(i - 1)));
    }
  }

  // ---- words

  Status word_at(size_t i) {
    const std::string_view w = word(i);
    if (w == "constexpr" || w == "const")
      constant_statement_ = constant_statement_ || w != "const" || scopes_.empty() ||
                            scopes_.back().type == Scope::kNamespace;
    if (is_cube_call(w)) out_.result.names_cube = true;
    if (w == out_.entry) out_.result.names_entry = true;
    if (w == "__global__") return function_at(i);
    if (w == "GET_TILING_DATA") out_.result.default_struct = true;
    if (w.substr(0, 12) == "ASCENDC_TPL_") note_template(i);
    if (in_directive(i) && directive_ == "define") return {};
    if (w == "TILING_KEY_IS" || w == "TILING_KEY_LIST") note_keys(i);
    if (w == "TILING_KEY_VAR") note_variable(i);
    if (w == "REGISTER_TILING_FOR_TILINGKEY") note_struct(i);
    if (w == "KERNEL_TASK_TYPE_DEFAULT" || w == "KERNEL_TASK_TYPE") return task_type_at(i);
    return {};
  }

  void note_template(size_t i) {
    const std::string_view w = word(i);
    if (w == "ASCENDC_TPL_ARGS_DECL" && !in_directive(i)) {
      out_.result.declares_template = true;
      std::string scope;
      at_namespace_level(false, scope);
      out_.result.template_scope = scope;
    }
    for (const char* name : {"ASCENDC_TPL_AIC_ONLY", "ASCENDC_TPL_MIX_AIC_1_1",
                             "ASCENDC_TPL_MIX_AIC_1_2", "ASCENDC_TPL_MIX_AIC_1_0"}) {
      if (w == name) out_.result.selects_cube = true;
    }
    for (const char* name : {"ASCENDC_TPL_AIV_ONLY", "ASCENDC_TPL_MIX_AIC_1_1",
                             "ASCENDC_TPL_MIX_AIC_1_2", "ASCENDC_TPL_MIX_AIV_1_0"}) {
      if (w == name) out_.result.selects_vector = true;
    }
  }

  // The key must be a constant in #if, if constexpr, static_assert, constants, template arguments.
  bool needs_constant(size_t i) const {
    if (in_condition(i) || constant_statement_) return true;
    for (const Scope& scope : scopes_) {
      if (scope.type == Scope::kConstant) return true;
    }
    return i > 0 && is(i - 1, "<");
  }

  void note_keys(size_t i) {
    if (!is(i + 1, "(")) return;
    if (needs_constant(i) && word(i) == "TILING_KEY_IS") out_.result.constant_key = true;
    for (const auto& [from, to] : arguments(i + 1)) out_.raw_keys.push_back(text(from, to));
  }

  void note_variable(size_t i) {
    out_.result.constant_key = true;
    size_t other = 0;
    if (is(i + 1, "=") && is(i + 2, "=")) other = i + 3;
    if (i >= 3 && is(i - 1, "=") && is(i - 2, "=")) other = i - 3;
    if (other != 0 && other < tokens_.size()) out_.raw_keys.emplace_back(word(other));
  }

  // ("TILING_KEY_VAR == 2", Struct)
  void note_struct(size_t i) {
    if (!is(i + 1, "(") || i + 2 >= tokens_.size()) return;
    const auto parts = arguments(i + 1);
    if (parts.size() != 2) return;
    std::string condition = text(parts[0].first, parts[0].second);
    if (condition.size() < 2 || condition.front() != '"' || condition.back() != '"') return;
    condition = condition.substr(1, condition.size() - 2);
    out_.result.key_structs.emplace_back(condition, text(parts[1].first, parts[1].second));
    const auto inner = source_text::tokens_of(condition);
    for (size_t k = 0; k < inner.size(); ++k) {
      if (inner[k].kind == Kind::kLiteral) out_.raw_keys.emplace_back(inner[k].in(condition));
    }
  }

  Status task_type_at(size_t i) {
    if (!is(i + 1, "(")) return {};
    const auto parts = arguments(i + 1);
    const bool keyed = word(i) == "KERNEL_TASK_TYPE";
    if (parts.size() != (keyed ? 2u : 1u)) return {};
    const std::string named = text(parts.back().first, parts.back().second);
    if (source_text::is_type_of_joined_cores(named)) return {};
    auto type = task_type_named(named);
    if (!type.ok()) return std::move(type).error().at({file_, tokens_[i].line, 0});
    if (keyed) {
      out_.result.key_types.emplace_back(text(parts[0].first, parts[0].second), *type);
      return {};
    }
    if (out_.result.task_type && *out_.result.task_type != *type) {
      return error("OPK-GEN-004", i,
                   "the kernel states two different kernel types with KERNEL_TASK_TYPE_DEFAULT",
                   "say which holds with kernel: {task_type: ...} in the contract, or "
                   "KERNEL_TASK_TYPE(key, type) for single keys");
    }
    out_.result.task_type = *type;
    return {};
  }

  // ---- the entry

  Status function_at(size_t mark) {
    size_t name = mark + 1;
    const auto is_mark = [&] { return is(name, "[") || is(name, "aicore") || is(name, "]"); };
    while (is_mark() || (is_word(name) && !is(name + 1, "("))) ++name;
    if (!is_word(name) || !is(name + 1, "(")) return {};
    if (!in_directive(mark)) note_function(name);
    return word(name) == out_.entry ? entry_at(mark) : Status();
  }

  void note_function(size_t name) {
    GlobalFunction found{std::string(word(name)), file_, tokens_[name].line, {}};
    for (const auto& [from, to] : arguments(name + 1)) found.parameters.push_back(text(from, to));
    out_.result.functions.push_back(std::move(found));
  }

  Status entry_at(size_t mark) {
    size_t first = mark;
    while (first > 0 && (is_word(first - 1) || tokens_[first - 1].kind == Kind::kLiteral)) --first;
    if (first == 0 || !is(first - 1, ">")) return {};
    const size_t open = template_open(first - 1);
    if (open == 0 || !is(open - 1, "template")) return {};
    out_.result.parameters.emplace();
    size_t from = open + 1;
    int depth = 0;
    for (size_t i = from; i < first; ++i) {
      if (is(i, "(")) i = closing(i) + 1;
      depth += is(i, "<") ? 1 : is(i, ">") ? -1 : 0;
      if (i + 1 != first && !(is(i, ",") && depth == 0)) continue;
      OPKIT_CHECK(parameter(from, i));
      from = i + 1;
    }
    return {};
  }

  // Returns the "<" of the ">" at `close`; 0 when there is none. Brackets inside are skipped.
  size_t template_open(size_t close) const {
    int depth = 0, brackets = 0;
    for (size_t i = close; i > 0; --i) {
      brackets += is(i, ")") ? 1 : is(i, "(") ? -1 : 0;
      if (brackets == 0) depth += is(i, ">") ? 1 : is(i, "<") ? -1 : 0;
      if (depth == 0) return i;
    }
    return 0;
  }

  Status parameter(size_t from, size_t to) {
    size_t end = from;
    while (end < to && !is(end, "=")) ++end;
    if (end == from) return {};
    if (is(from, "template") || is(end - 1, ".")) {
      return error("OPK-GEN-005", from,
                   fmt::format("the parameter '{}' of the kernel's template is neither a type nor "
                               "a value",
                               text(from, to)),
                   "give the kernel's template the parameters that ASCENDC_TPL_ARGS_DECL names");
    }
    TemplateParameter found;
    found.is_type = is(from, "typename") || is(from, "class");
    if (!found.is_type) found.type = text(from, end - from > 1 && is_word(end - 1) ? end - 1 : end);
    out_.result.parameters->push_back(std::move(found));
    return {};
  }

  const std::string& text_;
  const std::string& file_;
  const std::vector<Token>& tokens_;
  KernelReading& out_;
  std::vector<Scope> scopes_;
  bool constant_statement_ = false;
  int directive_line_ = 0;
  std::string directive_;
};

}  // namespace

std::vector<std::string> KernelFile::includes() const {
  std::vector<std::string> names;
  for (const Token& token : tokens_) {
    if (token.kind == Kind::kInclude) names.emplace_back(token.in(text_));
  }
  return names;
}

Status KernelFile::read_into(KernelReading& reading) const {
  return FileReader(text_, name_, tokens_, reading).run();
}

}  // namespace opkit::codegen
