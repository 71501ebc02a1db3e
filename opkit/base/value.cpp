// The typed reads of a Value (declared in document.h).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "opkit/base/document.h"
#include "opkit/base/suggest.h"

namespace opkit {
namespace {

constexpr size_t kShownChars = 60;

std::string shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull: return "nothing";
    case Value::Kind::kList: return "a list";
    case Value::Kind::kMap: return "a map";
    case Value::Kind::kScalar: break;
  }
  const std::string quote = value.quoted ? "\"" : "'";
  const bool cut = value.text.size() > kShownChars;
  return quote + value.text.substr(0, kShownChars) + (cut ? "..." : "") + quote;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Words that some YAML readers take for a boolean or for null.
bool is_yaml_word(std::string_view text) {
  static constexpr std::string_view kWords[] = {"y",   "n",    "yes",   "no",   "on",
                                                "off", "true", "false", "null", "~"};
  if (text.size() > 5) return false;
  return std::find(std::begin(kWords), std::end(kWords), lowered(text)) != std::end(kWords);
}

std::optional<int64_t> parse_magnitude(std::string_view text, int base) {
  int64_t result = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), result, base);
  if (text.empty() || text[0] == '-' || code != std::errc() || stop != text.data() + text.size())
    return std::nullopt;
  return result;
}

std::optional<int64_t> parse_power(std::string_view text, size_t star) {
  const auto base = parse_magnitude(text.substr(0, star), 10);
  const auto exponent = parse_magnitude(text.substr(star + 2), 10);
  if (!base || !exponent || *exponent > 63) return std::nullopt;
  int64_t result = 1;
  for (int64_t i = 0; i < *exponent; ++i) {
    if (__builtin_mul_overflow(result, *base, &result)) return std::nullopt;
  }
  return result;
}

// Decimal without leading zeros, 0x..., a**b; with an optional sign.
std::optional<int64_t> parse_int(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::optional<int64_t> magnitude;
  if (text.starts_with("0x")) {
    magnitude = parse_magnitude(text.substr(2), 16);
  } else if (const size_t star = text.find("**"); star != text.npos) {
    magnitude = parse_power(text, star);
  } else if (negative && text == "9223372036854775808") {
    return std::numeric_limits<int64_t>::min();
  } else if (text.size() == 1 || !text.starts_with('0')) {
    magnitude = parse_magnitude(text, 10);
  }
  if (magnitude && negative) return -*magnitude;
  return magnitude;
}

std::optional<double> parse_special(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  const std::string word = lowered(text);
  if (word == "inf") {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (word == "nan" && !negative) return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text) {
  if (const auto whole = parse_int(text)) return static_cast<double>(*whole);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool starts_well =
      !digits.empty() && (std::isdigit(static_cast<unsigned char>(digits[0])) || digits[0] == '.');
  if (!starts_well) return std::nullopt;
  double result = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (code != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return result;
}

// Plain text that YAML readers take for a number: digits, signs, one dot, exponents, underscores,
// base-60 colons.
bool looks_numeric(std::string_view text) {
  if (parse_int(text) || parse_number(text)) return true;
  if (text.find('.') != text.npos && parse_special(text)) return true;
  const bool digits_only = text.find_first_not_of("0123456789_:+-.") == text.npos;
  const bool has_digit = text.find_first_of("0123456789") != text.npos;
  const auto dots = std::count(text.begin(), text.end(), '.');
  return digits_only && has_digit && dots <= 1 && text.find('-', 1) == text.npos;
}

Error wrong_kind(const Value& value, std::string_view what, std::string_view wanted) {
  return Error("OPK-DOC-012", fmt::format("{} must be {}, not {}", what, wanted, shown(value)),
               fmt::format("write {} here", wanted))
      .at(value.where);
}

Error not_a(const Value& value, std::string code, std::string_view what, std::string_view wanted,
            std::string action) {
  if (value.quoted) action = fmt::format("remove the quotes: {} is read from plain text", wanted);
  return Error(std::move(code), fmt::format("{} must be {}, not {}", what, wanted, shown(value)),
               std::move(action))
      .at(value.where);
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [key](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

Result<std::string> Value::as_string(std::string_view what) const {
  if (!is_scalar()) return wrong_kind(*this, what, "text");
  if (!quoted && (is_yaml_word(text) || looks_numeric(text))) {
    return Error("OPK-DOC-013",
                 fmt::format("{} must be text, and YAML reads the unquoted {} as {}", what, text,
                             is_yaml_word(text) ? "a boolean or null" : "a number"),
                 fmt::format("write it in quotes: \"{}\"", text))
        .at(where);
  }
  return text;
}

Result<int64_t> Value::as_int(std::string_view what) const {
  if (!is_scalar()) return wrong_kind(*this, what, "an integer");
  const auto parsed = quoted ? std::nullopt : parse_int(text);
  if (!parsed) {
    return not_a(*this, "OPK-DOC-014", what, "an integer",
                 "write a 64-bit integer such as 16, 0x10 or 2**4");
  }
  return *parsed;
}

Result<double> Value::as_number(std::string_view what) const {
  if (!is_scalar()) return wrong_kind(*this, what, "a number");
  if (const auto special = parse_special(text)) return *special;
  const auto parsed = quoted ? std::nullopt : parse_number(text);
  if (!parsed) {
    return not_a(*this, "OPK-DOC-015", what, "a number",
                 "write a number such as 0.5, 1e-3, inf, -inf or nan");
  }
  return *parsed;
}

Result<bool> Value::as_bool(std::string_view what) const {
  if (!is_scalar()) return wrong_kind(*this, what, "true or false");
  if (quoted || (text != "true" && text != "false")) {
    return not_a(*this, "OPK-DOC-016", what, "true or false", "write true or false");
  }
  return text == "true";
}

// Tells whether an entry is N of {shape: M, N}: YAML ends the text at the comma.
static bool is_cut_off(const Value::Entry& entry) {
  return entry.value.kind == Value::Kind::kNull && entry.value.text.empty();
}

Status Value::check_keys(std::string_view what, const std::vector<std::string>& known) const {
  if (!is_map()) return wrong_kind(*this, what, "a map");
  for (const Entry& entry : entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    return Error("OPK-DOC-017",
                 fmt::format("{} has no field '{}'", what, entry.key.substr(0, kShownChars)),
                 is_cut_off(entry) ? "quote a text that holds a comma: shape: \"M, N\""
                                   : suggest(entry.key, known))
        .at(entry.where);
  }
  return {};
}

}  // namespace opkit
