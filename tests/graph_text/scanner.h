// Words, numbers and quoted names of a graph's text.
#ifndef OPKIT_TESTS_GRAPH_TEXT_SCANNER_H_
#define OPKIT_TESTS_GRAPH_TEXT_SCANNER_H_

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::graph {

// Characters with their place; skips blanks and comments ("# ..." to the end of the line).
class Scanner {
 public:
  Scanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  bool at_end() { return skip(), at_ == text_.size(); }
  char peek() { return at_end() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (peek() != c) return false;
    step();
    return true;
  }
  Status expect(char c) {
    if (accept(c)) return {};
    return error(fmt::format("'{}' is missing", c));
  }
  // A run of letters, digits and underscores; empty when there is none.
  std::string word() {
    skip();
    std::string out;
    while (at_ < text_.size() && is_word(text_[at_])) out += step();
    return out;
  }
  // Returns what stands in double quotes, which must be next.
  Result<std::string> quoted() {
    OPKIT_CHECK(expect('"'));
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      OPKIT_TRY(const char c, quoted_char());
      out += c;
    }
    if (at_ == text_.size()) return error("a quoted text does not end");
    step();
    return out;
  }
  // The characters of a number: digits, signs, a point, "e", "inf" and "nan".
  std::string number() {
    skip();
    std::string out;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.'))
      out += step();
    return out;
  }
  Error error(std::string message) const {
    return Error("TEXT", std::move(message), "opkit/graph/text.h shows the form")
        .at({file_, line_, column_});
  }

 private:
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  char step() {
    const char c = text_[at_++];
    column_ = c == '\n' ? 1 : column_ + 1;
    line_ += c == '\n';
    return c;
  }
  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        step();
      } else {
        return;
      }
    }
  }
  Result<char> quoted_char() {
    const char c = step();
    if (c != '\\') return c;
    if (at_ == text_.size()) return error("a quoted text does not end");
    const char kind = step();
    if (kind == '"' || kind == '\\') return kind;
    unsigned byte = 0;
    const std::string_view hex = text_.substr(at_, 2);
    const auto [end, problem] = std::from_chars(hex.data(), hex.data() + hex.size(), byte, 16);
    if (kind != 'x' || hex.size() != 2 || problem != std::errc() || end != hex.data() + 2)
      return error("after a backslash stands \", \\ or xHH");
    step();
    step();
    return static_cast<char>(byte);
  }

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

}  // namespace opkit::graph

#endif  // OPKIT_TESTS_GRAPH_TEXT_SCANNER_H_
