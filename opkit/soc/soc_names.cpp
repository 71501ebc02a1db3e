#include "opkit/soc/soc_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "opkit/soc/embedded.h"
#include "opkit/soc/fields.h"
#include "opkit/soc/top_value.h"

namespace opkit {
namespace {

using soc_files::Fields;
using soc_files::top_value;

// What the files of the chips say of families.
struct Families {
  std::set<std::string> names;               // "Ascend910B"
  std::set<std::string> members;             // "Ascend910B1"
  std::map<std::string, std::string> chips;  // "ascend910b" -> "Ascend910B1"
  std::string chip_for_all;
};

Families read_families() {
  Families families;
  for (const EmbeddedSpec& file : embedded_specs()) {
    const std::string_view stands_for = top_value(file.text, "stands_for");
    const std::string chip(top_value(file.text, "name"));
    const std::string family(top_value(file.text, "short_name"));
    families.names.insert(family);
    families.members.insert(chip);
    if (!stands_for.empty()) families.chips.emplace(plain_soc_name(family), chip);
    if (stands_for == "all") families.chip_for_all = chip;
  }
  return families;
}

const Families& soc_families() {
  static const Families read = read_families();
  return read;
}

AbsentChip read_absent(const Value& map, std::optional<Error>& error) {
  AbsentChip chip;
  Fields fields(map, "absent", {"beginnings", "sentence", "instead", "reason"}, error);
  fields.texts("beginnings", chip.beginnings);
  fields.text("sentence", chip.sentence);
  fields.text("instead", chip.instead);
  fields.text("reason", chip.reason);
  return chip;
}

}  // namespace

Result<OtherChips> parse_other_chips(std::string_view yaml, std::string name) {
  OPKIT_TRY(const Document document, Document::parse(yaml, std::move(name)));
  std::optional<Error> error;
  OtherChips other;
  Fields fields(document.root(), "", {"names", "families", "absent"}, error);
  fields.texts("names", other.names);
  fields.texts("families", other.families);
  if (const Value* const absent = fields.require("absent")) {
    if (!absent->is_list())
      return soc_files::bad(*absent, "absent is not a list", "write a list of maps");
    for (const Value& item : absent->items) other.absent.push_back(read_absent(item, error));
  }
  if (error) return std::move(*error);
  return other;
}

const OtherChips& other_chips() {
  static const Result<OtherChips> read =
      parse_other_chips(embedded_other_chips().text, std::string(embedded_other_chips().file));
  return read.value();
}

const std::string& default_soc() { return soc_families().chip_for_all; }

std::string chip_of_family(std::string_view family) {
  const auto found = soc_families().chips.find(plain_soc_name(family));
  return found != soc_families().chips.end() ? found->second : std::string();
}

const std::vector<std::string>& listed_soc_names() {
  static const std::vector<std::string> names = [] {
    std::set<std::string> all = soc_families().names;
    all.insert(soc_families().members.begin(), soc_families().members.end());
    all.insert(other_chips().names.begin(), other_chips().names.end());
    return std::vector<std::string>(all.begin(), all.end());
  }();
  return names;
}

std::string family_of_soc(std::string_view name) {
  const std::string plain = plain_soc_name(name);
  for (const EmbeddedSpec& file : embedded_specs()) {
    if (plain_soc_name(top_value(file.text, "name")) == plain)
      return std::string(top_value(file.text, "short_name"));
  }
  std::string longest;
  const auto consider = [&](const std::string& family) {
    if (plain.starts_with(plain_soc_name(family)) && family.size() > longest.size())
      longest = family;
  };
  std::ranges::for_each(soc_families().names, consider);
  std::ranges::for_each(other_chips().families, consider);
  return longest.empty() ? std::string(name) : longest;
}

std::string plain_soc_name(std::string_view name) {
  std::string lower;
  for (char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.starts_with("ascend") ? lower : "ascend" + lower;
}

}  // namespace opkit
