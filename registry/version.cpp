#include "registry/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "opkit/contract/names.h"
#include "registry/split_at.h"

namespace opkit::registry {
namespace {

constexpr size_t kMaxText = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; }

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_identifier(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_letter(c); });
}

// A number without leading zeros that fits.
bool read_number(std::string_view text, uint64_t& value) {
  if (!is_number(text) || (text.size() > 1 && text[0] == '0')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_prerelease_part(const std::string& part) {
  return is_identifier(part) && !(is_number(part) && part.size() > 1 && part[0] == '0');
}

bool read_core(std::string_view text, SemVer& version) {
  const std::vector<std::string> parts = split_at(text, '.');
  return parts.size() == 3 && read_number(parts[0], version.major) &&
         read_number(parts[1], version.minor) && read_number(parts[2], version.patch);
}

// Cuts what follows `separator` off text.
std::optional<std::string_view> cut(std::string_view& text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
}

bool read_version(std::string_view text, SemVer& version) {
  if (text.size() > kMaxText) return false;
  if (const auto build = cut(text, '+')) {
    for (const std::string& part : split_at(*build, '.')) {
      if (!is_identifier(part)) return false;
    }
    version.build = *build;
  }
  if (const auto prerelease = cut(text, '-')) {
    version.prerelease = split_at(*prerelease, '.');
    if (!std::ranges::all_of(version.prerelease, is_prerelease_part)) return false;
  }
  return read_core(text, version);
}

int sign(auto a, auto b) { return a < b ? -1 : (b < a ? 1 : 0); }

int compare_parts(const std::string& a, const std::string& b) {
  const bool a_number = is_number(a), b_number = is_number(b);
  if (a_number != b_number) return a_number ? -1 : 1;
  if (a_number && a.size() != b.size()) return sign(a.size(), b.size());
  return sign(a, b);
}

}  // namespace

Result<SemVer> SemVer::parse(std::string_view text) {
  SemVer version;
  if (read_version(text, version)) return version;
  return Error("OPK-VERSION-001",
               fmt::format("'{}' is not a semantic version", text.substr(0, kMaxText)),
               "write three numbers, such as \"1.0.0\"");
}

std::string SemVer::to_string() const {
  std::string text = fmt::format("{}.{}.{}", major, minor, patch);
  if (!prerelease.empty()) text += fmt::format("-{}", fmt::join(prerelease, "."));
  if (!build.empty()) text += "+" + build;
  return text;
}

int compare(const SemVer& a, const SemVer& b) {
  if (const int order = sign(a.major, b.major)) return order;
  if (const int order = sign(a.minor, b.minor)) return order;
  if (const int order = sign(a.patch, b.patch)) return order;
  if (a.prerelease.empty() != b.prerelease.empty()) return a.prerelease.empty() ? 1 : -1;
  const size_t common = std::min(a.prerelease.size(), b.prerelease.size());
  for (size_t i = 0; i < common; ++i) {
    if (const int order = compare_parts(a.prerelease[i], b.prerelease[i])) return order;
  }
  return sign(a.prerelease.size(), b.prerelease.size());
}

int compare_dotted(std::string_view a, std::string_view b) {
  const std::vector<std::string> left = split_at(a, '.'), right = split_at(b, '.');
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    uint64_t x = 0, y = 0;
    const bool x_ok = i >= left.size() || read_number(left[i], x);
    const bool y_ok = i >= right.size() || read_number(right[i], y);
    if (!x_ok || !y_ok) return 0;
    if (x != y) return sign(x, y);
  }
  return 0;
}

}  // namespace opkit::registry
