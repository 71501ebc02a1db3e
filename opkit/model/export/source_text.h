// Looks at and lays out pieces of source.
#ifndef OPKIT_MODEL_EXPORT_SOURCE_TEXT_H_
#define OPKIT_MODEL_EXPORT_SOURCE_TEXT_H_

#include <cctype>
#include <string>

namespace opkit::model_export {

// Says whether the code holds the name as a word.
inline bool mentions(const std::string& code, const std::string& name) {
  for (size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (end == code.size() || !std::isdigit(static_cast<unsigned char>(code[end]))) return true;
  }
  return false;
}

// Puts spaces in front of every line.
inline std::string indented(const std::string& code, size_t spaces) {
  std::string lines;
  for (size_t at = 0, end = 0; at < code.size(); at = end + 1) {
    end = code.find('\n', at);
    lines += std::string(spaces, ' ') + code.substr(at, end - at) + "\n";
  }
  return lines;
}

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_SOURCE_TEXT_H_
