#include "opkit/contract/expr_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "opkit/contract/names.h"

namespace opkit {
namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

ExprScanner::ExprScanner(std::string_view text, Location origin)
    : text_(text), origin_(std::move(origin)) {}

Location ExprScanner::place() const {
  Location here = origin_;
  if (here.column > 0) here.column += static_cast<int>(std::min(position_, text_.size()));
  return here;
}

std::string ExprScanner::rest() const {
  constexpr size_t kShown = 20;
  if (position_ >= text_.size()) return "the end";
  return fmt::format("'{}'", text_.substr(position_, kShown));
}

void ExprScanner::skip_blanks() {
  while (position_ < text_.size() &&
         (text_[position_] == ' ' || text_[position_] == '\n' || text_[position_] == '\t'))
    ++position_;
}

bool ExprScanner::at_end() {
  skip_blanks();
  return position_ == text_.size();
}

bool ExprScanner::peek_is(std::string_view symbol) {
  skip_blanks();
  return text_.substr(position_).starts_with(symbol);
}

bool ExprScanner::take(std::string_view symbol) {
  if (!peek_is(symbol)) return false;
  position_ += symbol.size();
  return true;
}

bool ExprScanner::take_word(std::string_view word) {
  if (!peek_is(word)) return false;
  const size_t end = position_ + word.size();
  if (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) return false;
  position_ = end;
  return true;
}

std::string ExprScanner::take_name() {
  skip_blanks();
  const size_t start = position_;
  if (at_end() || !is_name_start(text_[position_])) return {};
  while (position_ < text_.size() &&
         (is_name_start(text_[position_]) || is_digit(text_[position_])))
    ++position_;
  return std::string(text_.substr(start, position_ - start));
}

bool ExprScanner::at_digit() { return !at_end() && is_digit(text_[position_]); }

bool ExprScanner::at_name() { return !at_end() && is_name_start(text_[position_]); }

Location ExprScanner::next_place() {
  skip_blanks();
  return place();
}

bool ExprScanner::take_text(std::string* text) {
  skip_blanks();
  const char quote = text_[position_++];
  const size_t end = text_.find(quote, position_);
  if (end == text_.npos) return false;
  *text = std::string(text_.substr(position_, end - position_));
  position_ = end + 1;
  return true;
}

bool ExprScanner::take_dots() {
  if (!text_.substr(position_).starts_with("..")) return false;
  position_ += 2;
  return true;
}

ExprScanner::Integer ExprScanner::take_integer(int64_t* value) {
  const char* begin = text_.data() + position_;
  const auto [stop, code] = std::from_chars(begin, text_.data() + text_.size(), *value);
  if (code != std::errc()) return Integer::kTooLarge;
  position_ = static_cast<size_t>(stop - text_.data());
  const bool goes_on =
      position_ < text_.size() && (text_[position_] == '.' || is_name_start(text_[position_]));
  return goes_on ? Integer::kNotWhole : Integer::kTaken;
}

}  // namespace opkit
