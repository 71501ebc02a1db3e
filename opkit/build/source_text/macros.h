// The macros of one source, as far as finding the kernels that they define needs it: a
// function-like macro, and where it is used.
#ifndef OPKIT_BUILD_SOURCE_TEXT_MACROS_H_
#define OPKIT_BUILD_SOURCE_TEXT_MACROS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/build/source_text/tokens.h"

namespace opkit::source_text {

// `#define name(parameters) body`; tokens [begin, end) are the whole directive.
struct Macro {
  std::string name;
  std::vector<std::string> parameters;
  size_t begin = 0, end = 0;
};

// Lists them in the order of the source. Macros without parentheses have no parameters.
std::vector<Macro> macros_of(std::string_view text, const std::vector<Token>& tokens);

// What each parameter stands for, once per use of the macro: a use in the body of another one
// counts as often as that one is used.
using MacroArguments = std::map<std::string, std::string, std::less<>>;
std::vector<MacroArguments> uses_of(const Macro& macro, const std::vector<Macro>& all,
                                    std::string_view text, const std::vector<Token>& tokens);

// Tokens [from, to) as text, with parameters replaced and ## done.
std::string expanded(size_t from, size_t to, const MacroArguments& arguments, std::string_view text,
                     const std::vector<Token>& tokens);

// Returns the text called where token `at` calls a macro, whose body then stands for the call; else
// "".
std::string called(size_t at, const MacroArguments& arguments, const std::vector<Macro>& all,
                   std::string_view text, const std::vector<Token>& tokens);

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_MACROS_H_
