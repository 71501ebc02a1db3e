// The characters of an expression, read from left to right. Private to the expression parser.
#ifndef OPKIT_CONTRACT_EXPR_SCANNER_H_
#define OPKIT_CONTRACT_EXPR_SCANNER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// Blanks before what is taken or looked at are skipped, but for the two dots behind a name.
class ExprScanner {
 public:
  // `text` must outlive the scanner; `origin` is where it stands in a file.
  ExprScanner(std::string_view text, Location origin);

  std::string_view text() const { return text_; }
  const Location& origin() const { return origin_; }
  Location place() const;
  Location next_place();  // behind blanks
  // Returns what comes next, for messages.
  std::string rest() const;

  bool at_end();
  bool at_digit();
  bool at_name();
  bool peek_is(std::string_view symbol);
  bool take(std::string_view symbol);     // an operator
  bool take_word(std::string_view word);  // and, or, not, in
  bool take_dots();                       // ".." that follows without a blank
  // Empty when no name comes next.
  std::string take_name();

  // A text in single or double quotes; false when it is not closed. REQUIRES: peek_is(quote).
  bool take_text(std::string* text);

  enum class Integer { kTaken, kTooLarge, kNotWhole };
  // REQUIRES: at_digit().
  Integer take_integer(int64_t* value);

 private:
  void skip_blanks();

  std::string_view text_;
  Location origin_;
  size_t position_ = 0;
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_SCANNER_H_
