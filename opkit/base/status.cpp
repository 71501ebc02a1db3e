#include "opkit/base/status.h"

#include <fmt/format.h>

namespace opkit {

std::string Location::to_string() const {
  if (line == 0) return file;
  if (column == 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

namespace {

bool is_control_character(unsigned char c) {
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

// No terminal obeys what authors' code, files and their names say; C1 controls are two bytes.
std::string without_controls(const std::string& text) {
  std::string clean;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (is_control_character(c)) {
      clean += fmt::format("\\x{:02x}", c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      clean += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      clean += text[i];
    }
  }
  return clean;
}

}  // namespace

Error::Error() = default;
Error::Error(std::string_view code, std::string message, std::string_view action)
    : code(code), message(std::move(message)), action(action) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::to_string() const {
  static constexpr const char* kNames[] = {"note", "warning", "error"};
  std::string text;
  const std::string place = where.to_string();
  if (!place.empty()) text += place + ": ";
  text += fmt::format("{} {}: ", kNames[static_cast<int>(severity)], code);
  if (!op.empty()) text += op + (constraint.empty() ? ": " : " ");
  if (!constraint.empty()) text += constraint + ": ";
  text += message;
  for (const std::string& context : trail) text += "\n  in " + context;
  if (!action.empty()) text += "\n  try: " + action;
  return without_controls(text);
}

}  // namespace opkit
