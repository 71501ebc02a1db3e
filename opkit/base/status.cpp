#include "opkit/base/status.h"

#include <fmt/format.h>

namespace opkit {

std::string Location::to_string() const {
  if (line == 0) return file;
  if (column == 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

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
  return text;
}

}  // namespace opkit
