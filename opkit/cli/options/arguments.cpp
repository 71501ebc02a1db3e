#include "opkit/cli/options/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "opkit/base/shell_word.h"

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

std::chrono::milliseconds Arguments::milliseconds(const std::string& name) const {
  return std::chrono::milliseconds(std::llround(1000 * std::strtod(get(name).c_str(), nullptr)));
}

std::string assigned(const std::string& flag, const std::string& name, const std::string& value) {
  return flag + " " + shell_word(name + "=" + value);
}

Result<Assignment> parse_assignment(const std::string& flag, const std::string& text,
                                    const std::vector<std::string>& names) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    const std::string value = equals == 0 ? text.substr(1) : text;
    const bool is_name = std::find(names.begin(), names.end(), value) != names.end();
    const std::string name = is_name ? value : names.empty() ? "NAME" : names.front();
    return Error("OPK-CLI-006", fmt::format("{} takes name=value, not '{}'", flag, text),
                 assigned(flag, name, is_name || value.empty() ? "VALUE" : value));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace opkit::cli
