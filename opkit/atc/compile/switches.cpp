#include "opkit/atc/compile/switches.h"

#include <fmt/format.h>

#include "opkit/base/json.h"

namespace opkit::compile {
namespace {

Error wrong(const std::string& file, int line, std::string what) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--fusion_switch_file] is invalid: {}", file,
                           what),
               "write a line such as AddRelu:off for each op")
      .at({file, line, 0});
}

Status set(Switches& switches, const std::string& name, const std::string& state,
           const std::string& file, int line) {
  if (state != "on" && state != "off")
    return wrong(file, line, fmt::format("'{}' is neither on nor off", state));
  if (name == "ALL") {
    switches.all = state == "on";
  } else {
    switches.named[name] = state == "on";
  }
  return {};
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

Result<Switches> parse_lines(std::string_view text, const std::string& file) {
  Switches switches;
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string row = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty()) continue;
    const size_t colon = row.find(':');
    if (colon == std::string::npos) return wrong(file, line, fmt::format("'{}' has no colon", row));
    OPKIT_CHECK(
        set(switches, trimmed(row.substr(0, colon)), trimmed(row.substr(colon + 1)), file, line));
  }
  return switches;
}

Result<Switches> parse_json(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text).value_or(Json());
  const Json& stages = json["Switch"];
  if (!stages.is_object()) return wrong(file, 0, "it is no JSON object with a Switch");
  Switches switches;
  for (size_t i = 0; i < stages.size(); ++i) {
    const Json& names = stages[i];
    if (!names.is_object()) return wrong(file, 0, fmt::format("{} is no object", stages.keys()[i]));
    for (size_t j = 0; j < names.size(); ++j)
      OPKIT_CHECK(set(switches, names.keys()[j], names[j].text_or(names[j].dump(0)), file, 0));
  }
  return switches;
}

}  // namespace

bool Switches::is_on(const std::string& op, bool fused) const {
  const auto found = named.find(op);
  return found != named.end() ? found->second : all || !fused;
}

Result<Switches> parse_switches(std::string_view text, const std::string& file) {
  return trimmed(text.substr(0, 1000)).starts_with("{") ? parse_json(text, file)
                                                        : parse_lines(text, file);
}

}  // namespace opkit::compile
