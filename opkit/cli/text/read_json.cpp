#include "opkit/cli/text/read_json.h"

#include <nlohmann/json.hpp>

namespace opkit::cli {
namespace {

using Parsed = nlohmann::ordered_json;

Json json_of(const Parsed& parsed) {
  if (parsed.is_object()) {
    Json object = Json::object();
    for (const auto& [name, value] : parsed.items()) object[name] = json_of(value);
    return object;
  }
  if (parsed.is_array()) {
    Json array = Json::array();
    for (const Parsed& item : parsed) array.push_back(json_of(item));
    return array;
  }
  if (parsed.is_string()) return parsed.get<std::string>();
  if (parsed.is_boolean()) return parsed.get<bool>();
  if (parsed.is_number_unsigned()) return parsed.get<uint64_t>();
  if (parsed.is_number_integer()) return parsed.get<int64_t>();
  if (parsed.is_number_float()) return parsed.get<double>();
  return {};
}

}  // namespace

Json read_json(const std::string& text) {
  const Parsed parsed = Parsed::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json() : json_of(parsed);
}

}  // namespace opkit::cli
