#include "opkit/build/source_text/tokens.h"

#include <algorithm>
#include <cctype>

namespace opkit::source_text {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void skip_to(size_t end) {
    end = std::min(end, source_.size());
    for (; at_ < end; ++at_) line_ += source_[at_] == '\n';
  }

  // Up to the end of `text`, or of the source.
  void skip_past(std::string_view text, size_t from) {
    const size_t found = source_.find(text, from);
    skip_to(found == std::string_view::npos ? source_.size() : found + text.size());
  }

  void add(Token::Kind kind, size_t begin, size_t end, int line) {
    tokens_.push_back({kind, begin, end, line});
  }

  void step() {
    const char c = peek();
    if (std::isspace(static_cast<unsigned char>(c)) || c == '\\') return skip_to(at_ + 1);
    if (c == '/' && peek(1) == '/') return line_comment();
    if (c == '/' && peek(1) == '*') return skip_past("*/", at_ + 2);
    if (c == '"' || c == '\'') return literal(c);
    if (c == '#' && include()) return;
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (is_word(c)) return word();
    add(Token::Kind::kSign, at_, at_ + 1, line_);
    ++at_;
  }

  void line_comment() {
    while (at_ < source_.size() && peek() != '\n') skip_to(at_ + (peek() == '\\' ? 2 : 1));
  }

  void literal(char quote) {
    const size_t begin = at_;
    const int line = line_;
    skip_to(at_ + 1);
    while (at_ < source_.size() && peek() != quote && peek() != '\n') {
      skip_to(at_ + (peek() == '\\' ? 2 : 1));
    }
    skip_to(at_ + 1);
    add(Token::Kind::kLiteral, begin, at_, line);
  }

  void raw_literal() {
    const size_t begin = at_;
    const int line = line_;
    const size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return skip_to(source_.size());
    std::string close(1, ')');
    close.append(source_.substr(at_ + 1, open - at_ - 1)).push_back('"');
    skip_past(close, open);
    add(Token::Kind::kLiteral, begin, at_, line);
  }

  // 1'000 is one number, not the start of a character.
  void number() {
    const size_t begin = at_;
    while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) ++at_;
    add(Token::Kind::kLiteral, begin, at_, line_);
  }

  void word() {
    const size_t begin = at_;
    while (is_word(peek())) ++at_;
    if (peek() == '"' && source_[at_ - 1] == 'R' && at_ - begin <= 3) return raw_literal();
    add(Token::Kind::kWord, begin, at_, line_);
  }

  bool include() {
    size_t at = source_.find_first_not_of(" \t", at_ + 1);
    if (at == std::string_view::npos || source_.substr(at, 7) != "include") return false;
    at = source_.find_first_not_of(" \t", at + 7);
    const size_t end = std::min(source_.find('\n', at_), source_.size());
    if (at < end && source_[at] == '"') {
      const size_t close = source_.find('"', at + 1);
      if (close < end) add(Token::Kind::kInclude, at + 1, close, line_);
    }
    skip_to(end);
    return true;
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

}  // namespace opkit::source_text
