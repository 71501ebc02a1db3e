// top_value: one key of the top level of a chip's file, read without parsing the file: to find a
// chip among all, nothing else of the others is needed.
#ifndef OPKIT_SOC_TOP_VALUE_H_
#define OPKIT_SOC_TOP_VALUE_H_

#include <string_view>

namespace opkit::soc_files {

// Returns the value of the line "key: value", without a comment behind it; empty: there is no such
// line.
inline std::string_view top_value(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": ")) continue;
    line.remove_prefix(key.size() + 2);
    line = line.substr(0, line.find('#'));
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }
  return {};
}

}  // namespace opkit::soc_files

#endif  // OPKIT_SOC_TOP_VALUE_H_
