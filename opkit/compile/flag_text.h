// Texts of flags: "1,3;4,8".
#ifndef OPKIT_COMPILE_FLAG_TEXT_H_
#define OPKIT_COMPILE_FLAG_TEXT_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace opkit::compile {

// What stands before, between and behind the separators; of "" one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

// A whole number, with spaces around it or not.
std::optional<int64_t> whole_number(std::string_view text);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_FLAG_TEXT_H_
