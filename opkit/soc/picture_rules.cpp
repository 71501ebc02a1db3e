#include "opkit/soc/picture_rules.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "opkit/soc/embedded.h"
#include "opkit/soc/fields.h"
#include "opkit/soc/top_value.h"

namespace opkit {
namespace {

using soc_files::Fields;
using soc_files::top_value;

constexpr const char* kSection = "pictures";

struct PictureNumber {
  const char* key;
  uint32_t PictureRules::*field;
  bool may_be_zero = false;
};
constexpr PictureNumber kPictureNumbers[] = {
    {.key = "least_width", .field = &PictureRules::least_width},
    {.key = "least_height", .field = &PictureRules::least_height},
    {.key = "most_in", .field = &PictureRules::most_in},
    {.key = "most_out_width", .field = &PictureRules::most_out_width},
    {.key = "most_out_height", .field = &PictureRules::most_out_height},
    {.key = "width_alignment", .field = &PictureRules::width_alignment},
    {.key = "height_alignment", .field = &PictureRules::height_alignment},
    {.key = "least_stride", .field = &PictureRules::least_stride},
    {.key = "most_stride", .field = &PictureRules::most_stride},
    {.key = "decoded_alignment", .field = &PictureRules::decoded_alignment},
    {.key = "decoded_rows", .field = &PictureRules::decoded_rows},
    {.key = "least_decoded", .field = &PictureRules::least_decoded},
    {.key = "most_decoded", .field = &PictureRules::most_decoded},
    {.key = "most_png", .field = &PictureRules::most_png},
    {.key = "most_setting", .field = &PictureRules::most_setting},
    {.key = "channels", .field = &PictureRules::channels},
    {.key = "png_channels", .field = &PictureRules::png_channels},
    {.key = "paste_alignment", .field = &PictureRules::paste_alignment},
    {.key = "most_growth", .field = &PictureRules::most_growth, .may_be_zero = true},
    {.key = "most_shrink", .field = &PictureRules::most_shrink, .may_be_zero = true},
    {.key = "most_reflected", .field = &PictureRules::most_reflected, .may_be_zero = true},
};

struct PictureAbility {
  const char* key;
  bool PictureRules::*field;
};
constexpr PictureAbility kPictureAbilities[] = {
    {.key = "even_regions", .field = &PictureRules::even_regions},
    {.key = "own_filter", .field = &PictureRules::own_filter},
    {.key = "other_filters", .field = &PictureRules::other_filters},
    {.key = "converts", .field = &PictureRules::converts},
    {.key = "pyramids", .field = &PictureRules::pyramids},
    {.key = "level_zero", .field = &PictureRules::level_zero},
};

std::vector<std::string> picture_keys() {
  std::vector<std::string> keys;
  for (const PictureNumber& number : kPictureNumbers) keys.emplace_back(number.key);
  for (const PictureAbility& ability : kPictureAbilities) keys.emplace_back(ability.key);
  return keys;
}

// Sizes that strides and areas are computed from: no product of them leaves 32 bits.
constexpr uint32_t kMostPixels = 1u << 16;

void read_number(Fields& fields, const PictureNumber& number, PictureRules& rules) {
  uint32_t& value = rules.*number.field;
  fields.number(number.key, value);
  if (fields.failed()) return;
  fields.check(value <= kMostPixels && (value != 0 || number.may_be_zero), number.key,
               fmt::format("{} is {}", fields.path(number.key), value),
               fmt::format("write {} to {}", number.may_be_zero ? 0 : 1, kMostPixels));
}

// Reads the section of a file; nothing: the file has none.
Result<std::optional<PictureRules>> rules_in(const EmbeddedSpec& file) {
  OPKIT_TRY(const Document document, Document::parse(file.text, std::string(file.file)));
  const Value* const section = document.root().find(kSection);
  if (!section) return std::optional<PictureRules>();
  OPKIT_TRY(const PictureRules rules, read_picture_rules(*section));
  return std::optional(rules);
}

// Returns the file that has this value at its top level; nullptr: there is none.
const EmbeddedSpec* file_with(const std::vector<EmbeddedSpec>& files, std::string_view key,
                              std::string_view value) {
  for (const EmbeddedSpec& file : files) {
    if (top_value(file.text, key) == value) return &file;
  }
  return nullptr;
}

Result<PictureRules> load_rules(const std::string& soc) {
  const EmbeddedSpec* const chip = file_with(embedded_specs(), "name", soc);
  const EmbeddedSpec* const arch =
      chip ? file_with(embedded_archs(), "npu_arch", top_value(chip->text, "npu_arch")) : nullptr;
  for (const EmbeddedSpec* const file : {chip, arch}) {
    if (!file) continue;
    OPKIT_TRY(const std::optional<PictureRules> rules, rules_in(*file));
    if (rules) return *rules;
  }
  return Error(
      "OPK-SOC-004",
      fmt::format("no file says what the image units of the {} ask of pictures", soc),
      fmt::format("describe them under '{}' in the chip's file, or run on another chip", kSection));
}

}  // namespace

Result<PictureRules> read_picture_rules(const Value& section) {
  std::optional<Error> error;
  PictureRules rules;
  Fields fields(section, kSection, picture_keys(), error);
  for (const PictureNumber& number : kPictureNumbers) read_number(fields, number, rules);
  for (const PictureAbility& ability : kPictureAbilities) {
    if (const Value* const value = fields.require(ability.key))
      fields.take(value->as_bool(fields.path(ability.key)), rules.*ability.field);
  }
  if (error) return std::move(*error);
  return rules;
}

Result<const PictureRules*> find_picture_rules(std::string_view soc) {
  static std::mutex mutex;
  static std::map<std::string, Result<PictureRules>, std::less<>> known;
  const std::lock_guard lock(mutex);
  auto found = known.find(soc);
  if (found == known.end())
    found = known.emplace(std::string(soc), load_rules(std::string(soc))).first;
  if (!found->second.ok()) return found->second.error();
  return &*found->second;
}

}  // namespace opkit
