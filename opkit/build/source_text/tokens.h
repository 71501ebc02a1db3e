// C++ source as tokens, as far as finding kernels and launches needs it: comments, literals and
// line continuations are understood, macros are not expanded.
#ifndef OPKIT_BUILD_SOURCE_TEXT_TOKENS_H_
#define OPKIT_BUILD_SOURCE_TEXT_TOKENS_H_

#include <string>
#include <string_view>
#include <vector>

namespace opkit::source_text {

struct Token {
  enum class Kind { kWord, kLiteral, kSign, kInclude };  // a sign is one character
  Kind kind = Kind::kSign;
  size_t begin = 0, end = 0;  // bytes of the source; of kInclude: the path between the quotes
  int line = 1;

  std::string_view in(std::string_view source) const { return source.substr(begin, end - begin); }
};

// Quoted includes are tokens of their own; other preprocessor lines are tokens like any text.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_TOKENS_H_
