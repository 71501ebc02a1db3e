#include "opkit/cli/arguments.h"

#include <fmt/format.h>

#include <cstdlib>

namespace opkit::cli {

std::optional<std::string> Arguments::find(const std::string& name) const {
  const auto given = values_.find(name);
  if (given != values_.end() && !given->second.empty()) return given->second.back();
  const auto preset = presets_.find(name);
  if (preset != presets_.end()) return preset->second;
  return std::nullopt;
}

std::string Arguments::get(const std::string& name) const { return find(name).value_or(""); }

std::vector<std::string> Arguments::all(const std::string& name) const {
  const auto given = values_.find(name);
  return given == values_.end() ? std::vector<std::string>{} : given->second;
}

int64_t Arguments::integer(const std::string& name) const {
  return std::strtoll(get(name).c_str(), nullptr, 10);
}

Result<Assignment> parse_assignment(const std::string& flag, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error("OPK-CLI-006", fmt::format("{} takes name=value, not '{}'", flag, text),
                 fmt::format("{} x={}", flag, text.empty() || equals == 0 ? "..." : text));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace opkit::cli
