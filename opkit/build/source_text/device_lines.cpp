#include "opkit/build/source_text/device_lines.h"

#include <set>
#include <string>

#include "opkit/build/source_text/macros.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::source_text {
namespace {

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), tokens_(tokens_of(text)) {
    for (const Macro& macro : macros_of(text, tokens_)) {
      if (!macro.parameters.empty()) continue;
      for (size_t i = macro.begin; i < macro.end; ++i) {
        if (!is_mark(i)) continue;
        marks_.insert(macro.name);
        defined_.insert(i);
      }
    }
  }

  std::vector<LineRange> run() const {
    std::vector<LineRange> found;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_mark(i) || defined_.count(i) != 0 || (i > 0 && is(i - 1, "define"))) continue;
      const size_t end = end_of_function(i);
      if (end == tokens_.size()) continue;
      found.push_back({tokens_[i].line, tokens_[end].line});
      i = end;
    }
    return found;
  }

 private:
  std::string_view word(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind != Token::Kind::kLiteral ? tokens_[i].in(text_)
                                                                          : std::string_view();
  }
  bool is(size_t i, std::string_view text) const { return word(i) == text; }
  bool is_mark(size_t i) const {
    return tokens_[i].kind == Token::Kind::kWord && marks_.count(std::string(word(i))) != 0;
  }

  // Returns the bracket that closes the one at `open`.
  size_t closing(size_t open, std::string_view left, std::string_view right) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      depth += is(i, left) ? 1 : is(i, right) ? -1 : 0;
      if (depth == 0) return i;
    }
    return tokens_.size();
  }

  // Finds the end of the function marked at `mark`; tokens_.size(): only a declaration follows.
  // What a constructor initialises in braces comes before its body.
  size_t end_of_function(size_t mark) const {
    for (size_t i = mark; i < tokens_.size(); ++i) {
      if (is(i, ";") || is(i, "}")) return tokens_.size();
      if (is(i, "(")) i = closing(i, "(", ")");
      if (!is(i, "{")) continue;
      i = closing(i, "{", "}");
      if (!is(i + 1, ",") && !is(i + 1, "{")) return i;
    }
    return tokens_.size();
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::set<size_t> defined_;  // marks in the definition of a macro that stands for one
  std::set<std::string> marks_ = {"__aicore__", "__global__", "aicore"};
};

}  // namespace

std::vector<LineRange> device_lines(std::string_view text) { return Finder(text).run(); }

}  // namespace opkit::source_text
