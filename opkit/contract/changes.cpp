#include "opkit/contract/changes.h"

#include <fmt/format.h>

namespace opkit {

std::string_view name_of(ChangeLevel level) {
  static constexpr const char* kNames[] = {"none", "patch", "minor", "major"};
  return kNames[static_cast<int>(level)];
}

std::string changed(const std::string& subject, const std::string& from, const std::string& to) {
  return fmt::format("{}: {} -> {}", subject, from, to);
}

}  // namespace opkit
