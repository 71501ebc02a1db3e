#include "opkit/base/shell_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace opkit {
namespace {

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_@%+=:,./-^").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string with_escapes(std::string_view text) {
  std::string word = "$'";
  for (const char c : text) {
    if (is_control(c)) {
      word += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      if (c == '\'' || c == '\\') word += '\\';
      word += c;
    }
  }
  return word + '\'';
}

// A line, character by character.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  std::vector<std::string> read() {
    while (at_ < line_.size()) read_piece(line_[at_]);
    end_word();
    return std::move(words_);
  }

 private:
  void read_piece(char c) {
    if (c == ' ' || c == '\t' || c == '\n') {
      ++at_;
      return end_word();
    }
    open_ = true;
    if (line_.substr(at_).starts_with("$'")) return read_escaped();
    if (c == '\'' || c == '"') return read_quoted(c);
    if (c == '\\' && at_ + 1 < line_.size()) ++at_;
    word_ += line_[at_++];
  }

  void read_quoted(char quote) {
    const size_t end = std::min(line_.find(quote, at_ + 1), line_.size());
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  }

  // What with_escapes writes.
  void read_escaped() {
    for (at_ += 2; at_ < line_.size() && line_[at_] != '\''; ++at_) {
      if (line_[at_] == '\\' && at_ + 1 < line_.size() && !read_octal()) ++at_;
      if (at_ < line_.size()) word_ += octal_.value_or(line_[at_]);
      octal_.reset();
    }
    ++at_;
  }

  // Stands at its last digit then.
  bool read_octal() {
    const std::string_view digits = line_.substr(at_ + 1, 3);
    const bool octal = digits.size() == 3 && digits.find_first_not_of("01234567") == digits.npos;
    if (!octal) return false;
    octal_ = static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + digits[2] - '0');
    at_ += 3;
    return true;
  }

  void end_word() {
    if (open_) words_.push_back(std::move(word_));
    word_.clear();
    open_ = false;
  }

  std::string_view line_;
  size_t at_ = 0;
  std::vector<std::string> words_;
  std::string word_;
  std::optional<char> octal_;
  bool open_ = false;  // the word has begun, empty as it may be
};

}  // namespace

std::vector<std::string> shell_words(std::string_view line) { return Words(line).read(); }

std::string shell_word(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) return with_escapes(text);
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

}  // namespace opkit
