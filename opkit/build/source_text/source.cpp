#include "opkit/build/source_text/source.h"

#include <array>
#include <set>
#include <utility>

#include "opkit/abi/types.h"
#include "opkit/base/suggest.h"
#include "opkit/build/source_text/macros.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::source_text {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::pair<const char*, int>, 6> kTaskTypes = {{
    {"KERNEL_TYPE_AIV_ONLY", OPK_TASK_AIV_ONLY},
    {"KERNEL_TYPE_AIC_ONLY", OPK_TASK_AIC_ONLY},
    {"KERNEL_TYPE_MIX_AIC_1_1", OPK_TASK_MIX_1_1},
    {"KERNEL_TYPE_MIX_AIC_1_2", OPK_TASK_MIX_1_2},
    {"KERNEL_TYPE_MIX_AIC_1_0", OPK_TASK_MIX_AIC_1_0},
    {"KERNEL_TYPE_MIX_AIV_1_0", OPK_TASK_MIX_AIV_1_0},
}};

bool is_cube_call(std::string_view word) {
  static const std::set<std::string_view> kCalls = {
      "Mmad", "Fixpipe", "LoadData", "LoadDataWithTranspose", "REGIST_MATMUL_OBJ", "IterateAll"};
  return kCalls.count(word) != 0;
}

// Calls of programs that need no kernel of their own: they load kernels or models, build models,
// call installed ops, or use the runtime alone.
bool needs_no_kernel(std::string_view word) {
  constexpr std::string_view kPlans = "GetWorkspaceSize";  // ends aclnn<Op>GetWorkspaceSize
  return word == "aclInit" || word == "aclrtSetDevice" || word.substr(0, 6) == "aclmdl" ||
         word.substr(0, 5) == "aclop" || word.substr(0, 7) == "aclgrph" ||
         word == "aclrtBinaryLoadFromFile" || word == "aclrtBinaryLoadFromData" ||
         (word.substr(0, 5) == "aclnn" && word.size() > kPlans.size() &&
          word.substr(word.size() - kPlans.size()) == kPlans);
}

struct Insertion {
  size_t at, removed;  // bytes of the source
  std::string text;
};

class Reader {
 public:
  Reader(const std::string& text, const std::string& file)
      : text_(text), file_(file), tokens_(tokens_of(text)), macros_(macros_of(text, tokens_)) {}

  Result<Source> run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Kind::kInclude) include(i);
      if (tokens_[i].kind == Kind::kWord && is_cube_call(word(i))) source_.names_cube = true;
      if (tokens_[i].kind == Kind::kWord && needs_no_kernel(word(i)))
        source_.kernels_elsewhere = true;
      if (is(i, "#") && (is(i + 1, "if") || is(i + 1, "ifdef") || is(i + 1, "ifndef")))
        source_.conditional = true;
      if (is(i, "__global__")) OPKIT_CHECK(kernel(i));
      if (opens_launch(i)) OPKIT_CHECK(launch(i));
    }
    source_.rewritten = text_;
    for (size_t i = insertions_.size(); i-- > 0;) {
      source_.rewritten.replace(insertions_[i].at, insertions_[i].removed, insertions_[i].text);
    }
    // A byte order mark is one at the start of a file only; text comes before it.
    if (source_.rewritten.compare(0, 3, "\xef\xbb\xbf") == 0) source_.rewritten.erase(0, 3);
    return std::move(source_);
  }

 private:
  void include(size_t i) {
    source_.includes.emplace_back(word(i));
    if (word(i).find("aclrtlaunch_") != std::string_view::npos) source_.launches_by_name = true;
  }
  std::string_view word(size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(text_) : std::string_view();
  }
  bool is(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].kind != Kind::kLiteral &&
           tokens_[i].kind != Kind::kInclude && word(i) == text;
  }
  bool is_name(size_t i) const { return i < tokens_.size() && tokens_[i].kind == Kind::kWord; }

  // Three same signs without a space between them.
  bool triple(size_t i, std::string_view sign) const {
    return is(i, sign) && is(i + 1, sign) && is(i + 2, sign) &&
           tokens_[i + 2].end == tokens_[i].begin + 3;
  }
  bool opens_launch(size_t i) const { return triple(i, "<") && i > 0; }

  Error error(const char* code, size_t i, std::string message, std::string action) const {
    const int line = i < tokens_.size() ? tokens_[i].line : 0;
    return Error(code, std::move(message), std::move(action)).at({file_, line, 0});
  }

  // Returns the token after the bracket that closes the one at `open`; tokens_.size() when none
  // does.
  size_t after(size_t open, std::string_view left, std::string_view right) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      depth += is(i, left) ? 1 : is(i, right) ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  // ---- kernels

  Result<int> task_type_named(size_t i) const {
    std::vector<std::string> known;
    for (const auto& [name, type] : kTaskTypes) {
      if (word(i) == name) return type;
      known.emplace_back(name);
    }
    return error("OPK-CC-004", i, "unknown kernel type " + std::string(word(i)),
                 suggest(std::string(word(i)), known));
  }

  // At __mix__: (cube cores, vector cores).
  Result<int> mix(size_t i) const {
    const std::string ratio = std::string(word(i + 2)) + ":" + std::string(word(i + 4));
    if (is(i + 1, "(") && is(i + 5, ")")) {
      if (ratio == "1:1") return OPK_TASK_MIX_1_1;
      if (ratio == "1:2") return OPK_TASK_MIX_1_2;
      if (ratio == "1:0") return OPK_TASK_MIX_AIC_1_0;
      if (ratio == "0:1") return OPK_TASK_MIX_AIV_1_0;
    }
    return error("OPK-CC-004", i, "no chip has the core ratio of this __mix__",
                 "write __mix__(1, 1) or __mix__(1, 2)");
  }

  Status state(KernelDefinition& kernel, size_t at, int type) const {
    if (kernel.task_type && *kernel.task_type != type) {
      return error("OPK-CC-004", at, "kernel " + kernel.name + " states two kernel types",
                   "keep one of them; builds per tiling key need an operator project");
    }
    kernel.task_type = type;
    return {};
  }

  Status marks(KernelDefinition& kernel, size_t from, size_t to) const {
    for (size_t i = from; i < to; ++i) {
      if (is(i, "__vector__")) OPKIT_CHECK(state(kernel, i, OPK_TASK_AIV_ONLY));
      if (is(i, "__cube__")) OPKIT_CHECK(state(kernel, i, OPK_TASK_AIC_ONLY));
      if (!is(i, "__mix__")) continue;
      OPKIT_TRY(const int type, mix(i));
      OPKIT_CHECK(state(kernel, i, type));
    }
    return {};
  }

  Status statements(KernelDefinition& kernel, size_t from, size_t to) const {
    for (size_t i = from; i + 2 < to; ++i) {
      size_t value = 0;
      if (is(i, "KERNEL_TASK_TYPE_DEFAULT") && is(i + 1, "(")) value = i + 2;
      if (is(i, "KERNEL_TASK_TYPE") && is(i + 1, "(")) value = after(i + 1, "(", ")") - 2;
      if (value == 0 || is_type_of_joined_cores(word(value))) continue;
      OPKIT_TRY(const int type, task_type_named(value));
      OPKIT_CHECK(state(kernel, i, type));
    }
    return {};
  }

  // Returns the token after the mark [aicore], which stands for __aicore__.
  size_t after_mark(size_t i) const {
    return is(i, "[") && is(i + 1, "aicore") && is(i + 2, "]") ? i + 3 : i;
  }

  // Returns the token after a word and what ## joins to it.
  size_t after_word(size_t i) const {
    while (is(i + 1, "#") && is(i + 2, "#") && is_name(i + 3)) i += 3;
    return i + 1;
  }

  // Returns the first token of the kernel's name; the bracket with its parameters opens behind the
  // name.
  size_t kernel_name(size_t mark) const {
    size_t name = after_mark(mark + 1);
    while (is_name(name)) {
      const size_t end = after_mark(after_word(name));
      if (is(end, "(") && !is(name, "__mix__") && !is(name, "__attribute__")) break;
      name = after_mark(is(end, "(") ? after(end, "(", ")") : end);
    }
    return name;
  }

  Status kernel(size_t mark) {
    const size_t name = kernel_name(mark);
    if (!is_name(name)) return {};
    size_t open = after_word(name);
    if (is(after(open, "(", ")"), "(")) open = after(open, "(", ")");  // a macro makes the name
    const size_t body = after(open, "(", ")");
    if (!is(body, "{")) return {};  // a declaration
    size_t first = mark;
    while (first > 0 && (is_name(first - 1) || (first > 2 && after_mark(first - 3) == first)))
      first -= is_name(first - 1) ? 1 : 3;
    KernelDefinition found{
        std::string(word(name)), {}, {}, tokens_[name].line, first > 0 && is(first - 1, ">")};
    OPKIT_CHECK(marks(found, first, name));
    OPKIT_CHECK(statements(found, body, after(body, "{", "}")));
    add(found, name, open, body - 1);
    return {};
  }

  // A kernel in a macro is as many kernels as the macro has uses.
  void add(KernelDefinition& found, size_t name, size_t open, size_t close) {
    const auto named = [&](const MacroArguments& arguments) {
      const std::string made = called(name, arguments, macros_, text_, tokens_);
      found.name = made.empty() ? expanded(name, open, arguments, text_, tokens_) : made;
      found.parameters = expanded(open + 1, close, arguments, text_, tokens_);
      source_.kernels.push_back(found);
    };
    for (const Macro& macro : macros_) {
      if (name < macro.begin || name >= macro.end) continue;
      found.of_macro = true;
      for (const MacroArguments& use : uses_of(macro, macros_, text_, tokens_)) named(use);
      return;
    }
    named({});
  }

  // ---- launches

  // Returns the token that opens the brackets which close before token `end`.
  size_t opening(size_t end) const {
    int depth = 0;
    size_t i = end;
    do {
      --i;
      depth += is(i, ")") ? 1 : is(i, "(") ? -1 : 0;
    } while (i > 0 && depth > 0);
    return i;
  }

  // Returns the first token of `a::b<c>`, or of a macro's call that makes the name, which ends
  // before token `end`; `end` when there is none.
  size_t name_before(size_t end) const {
    size_t i = end;
    if (is(i - 1, ")")) i = opening(i);
    if (is(i - 1, ">")) {
      int depth = 0;
      do {
        --i;
        depth += is(i, ">") ? 1 : is(i, "<") ? -1 : 0;
      } while (i > 0 && depth > 0);
    }
    if (i == 0 || !is_name(i - 1)) return end;
    --i;
    while (i >= 3 && is(i - 1, "#") && is(i - 2, "#") && is_name(i - 3)) i -= 3;
    while (i >= 2 && is(i - 1, ":") && is(i - 2, ":")) {
      i -= 2;
      if (i > 0 && is_name(i - 1)) --i;
    }
    return i;
  }

  // Returns the first sign of the closing >>>; tokens_.size() when there is none.
  size_t closing(size_t from) const {
    int depth = 0;
    for (size_t i = from; i < tokens_.size() && !is(i, ";"); ++i) {
      depth += is(i, "(") ? 1 : is(i, ")") ? -1 : 0;
      if (depth == 0 && triple(i, ">") && is(i + 3, "(")) return i;
    }
    return tokens_.size();
  }

  // Tells whether the launch before ends behind token `name`: one stands in the other.
  bool is_in_another(size_t name) const {
    return !insertions_.empty() && tokens_[name].begin < insertions_.back().at;
  }

  Status launch(size_t open) {
    const size_t name = name_before(open);
    const size_t close = closing(open + 3);
    if (name == open || close == tokens_.size() || is_in_another(name)) {
      return error("OPK-CC-003", open, "this <<< is not part of a launch that can be understood",
                   "write name<types><<<blocks, nullptr, stream>>>(arguments);");
    }
    const size_t begin = tokens_[name].begin;
    std::string written = text_.substr(begin, tokens_[open].begin - begin);
    written.erase(std::min(written.find('<'), written.size()));
    insertions_.push_back({begin, 0, "::opkit_launch::Kernel<&"});
    insertions_.push_back(
        {tokens_[open].begin, 3, ">::on(OPKIT_LAUNCH_NAME(" + trimmed(written) + "), "});
    insertions_.push_back({tokens_[close].begin, 3, ")"});
    if (source_.first_launch == 0) source_.first_launch = tokens_[open].line;
    return {};
  }

  static std::string trimmed(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c != ' ' && c != '\n' && c != '\t' && c != '\\') out += c;
    }
    return out;
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<Token> tokens_;
  std::vector<Macro> macros_;
  std::vector<Insertion> insertions_;  // are sorted by place
  Source source_;
};

}  // namespace

bool is_type_of_joined_cores(std::string_view word) {
  return word == "KERNEL_TYPE_AICORE" || word == "KERNEL_TYPE_VECTORCORE" ||
         word == "KERNEL_TYPE_MIX_AICORE" || word == "KERNEL_TYPE_MIX_VECTOR_CORE";
}

Result<Source> read_source(const std::string& text, const std::string& file) {
  return Reader(text, file).run();
}

}  // namespace opkit::source_text
