// Texts of flags: "1,3;4,8".
#ifndef OPKIT_ATC_COMPILE_FLAG_TEXT_H_
#define OPKIT_ATC_COMPILE_FLAG_TEXT_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace opkit::compile {

// What to do about a name that is none of the model's nodes.
inline constexpr std::string_view kHowToListNodes =
    "atc --mode=1 --framework=5 --om=MODEL.onnx writes the model as JSON, nodes with their names";

// Returns what stands before, between and behind the separators; of "" one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

// Returns a whole number, with spaces around it or not.
std::optional<int64_t> whole_number(std::string_view text);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_FLAG_TEXT_H_
