#include "registry/version_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace opkit::registry {
namespace {

constexpr size_t kMostText = 256;

std::optional<SemVer> exact(std::string_view text) {
  auto version = SemVer::parse(text);
  return version ? std::optional(*std::move(version)) : std::nullopt;
}

// "1", "1.2", "1.2.3-rc.1": the parts that are left out are 0.
std::optional<SemVer> filled(std::string_view text) {
  std::string whole(text);
  for (auto dots = std::count(whole.begin(), whole.end(), '.'); dots < 2; ++dots) whole += ".0";
  return exact(whole);
}

bool same_numbers(const SemVer& a, const SemVer& b) {
  return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
}

Error not_a_range(std::string_view text) {
  return Error("OPK-VERSION-002",
               fmt::format("'{}' is neither a version nor a range", text.substr(0, kMostText)),
               "write 1.2.0, ^1.2, ~1.2 or \">=1,<2\"");
}

}  // namespace

bool VersionRange::Bound::holds(const SemVer& other) const {
  const int order = compare(other, version);
  switch (relation) {
    case Relation::kEqual: return order == 0;
    case Relation::kBelow: return order < 0;
    case Relation::kAtMost: return order <= 0;
    case Relation::kAbove: return order > 0;
    case Relation::kAtLeast: return order >= 0;
  }
  return false;
}

// The upper end of ^ and ~.
void VersionRange::add_next(const SemVer& from, bool minor) {
  SemVer next;
  next.major = minor ? from.major : from.major + 1;
  next.minor = minor ? from.minor + 1 : 0;
  bounds_.push_back({Relation::kBelow, next});
}

Status VersionRange::add(std::string_view part) {
  constexpr std::pair<std::string_view, Relation> kSigns[] = {
      {">=", Relation::kAtLeast}, {"<=", Relation::kAtMost}, {">", Relation::kAbove},
      {"<", Relation::kBelow},    {"=", Relation::kEqual},   {"^", Relation::kAtLeast},
      {"~", Relation::kAtLeast},  {"", Relation::kEqual}};
  for (const auto& [sign, relation] : kSigns) {
    if (!part.starts_with(sign)) continue;
    const std::string_view rest = part.substr(sign.size());
    const auto version = relation == Relation::kEqual ? exact(rest) : filled(rest);
    constexpr uint64_t kLimit = uint64_t{1} << 63;  // above, the next version may not exist
    if (!version || version->major >= kLimit || version->minor >= kLimit) return not_a_range(part);
    bounds_.push_back({relation, *version});
    if (sign == "^") add_next(*version, version->major == 0);
    if (sign == "~") add_next(*version, true);
    return {};
  }
  return not_a_range(part);
}

Result<VersionRange> VersionRange::parse(std::string_view text) {
  if (text.empty() || text.size() > kMostText) return not_a_range(text);
  VersionRange range;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    OPKIT_CHECK(range.add(text.substr(start, end - start)));
    start = end + 1;
  }
  return range;
}

bool VersionRange::holds(const SemVer& version) const {
  const auto names = [&version](const Bound& bound) {
    return !bound.version.prerelease.empty() && same_numbers(bound.version, version);
  };
  if (!version.prerelease.empty() && std::none_of(bounds_.begin(), bounds_.end(), names))
    return false;
  return std::all_of(bounds_.begin(), bounds_.end(),
                     [&version](const Bound& bound) { return bound.holds(version); });
}

bool version_matches(const std::string& asked, const std::string& version) {
  if (asked == version) return true;
  if (SemVer::parse(asked).ok()) return false;
  const auto range = VersionRange::parse(asked);
  const auto found = SemVer::parse(version);
  return range.ok() && found.ok() && range->holds(*found);
}

Status check_version(const std::string& asked) {
  if (asked.empty()) return {};
  const auto range = VersionRange::parse(asked);
  return range ? Status() : Status(range.error());
}

OpAndRange split_op(const std::string& word) {
  const size_t at = word.find('@');
  if (at == std::string::npos) return {word, {}};
  return {word.substr(0, at), word.substr(at + 1)};
}

}  // namespace opkit::registry
