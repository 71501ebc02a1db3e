// What a ContractDiff asks of the version, and how it is printed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "opkit/base/json.h"
#include "opkit/contract/diff.h"

namespace opkit {
namespace {

using Version = std::array<int64_t, 3>;

Version parse_version(const std::string& text) {
  Version version{};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  for (int64_t& part : version) {
    at = std::from_chars(at, end, part).ptr;
    if (at < end) ++at;
  }
  return version;
}

}  // namespace

ChangeLevel ContractDiff::level() const {
  ChangeLevel highest = ChangeLevel::kNone;
  for (const Change& change : changes) highest = std::max(highest, change.level);
  return highest;
}

std::string ContractDiff::needed_version() const {
  Version version = parse_version(old_version);
  const ChangeLevel highest = level();
  if (highest == ChangeLevel::kNone) return old_version;
  const auto raised = static_cast<size_t>(ChangeLevel::kMajor) - static_cast<size_t>(highest);
  ++version[raised];
  for (size_t i = raised + 1; i < version.size(); ++i) version[i] = 0;
  return fmt::format("{}", fmt::join(version, "."));
}

bool ContractDiff::version_suffices() const {
  return parse_version(new_version) >= parse_version(needed_version());
}

std::string diff_text(const ContractDiff& diff) {
  std::string text;
  for (const ChangeLevel level : {ChangeLevel::kMajor, ChangeLevel::kMinor, ChangeLevel::kPatch}) {
    for (const Change& change : diff.changes) {
      if (change.level == level)
        text += fmt::format("{}: {} ({})\n", name_of(level), change.what, change.why);
    }
  }
  text += fmt::format("{} -> {}: {}", diff.old_version, diff.new_version, name_of(diff.level()));
  if (diff.version_suffices()) return text + ", the version says so\n";
  return text + fmt::format(", the version must be at least {}\n", diff.needed_version());
}

Json diff_json(const ContractDiff& diff) {
  Json json = {{"old_version", diff.old_version},
               {"new_version", diff.new_version},
               {"level", name_of(diff.level())},
               {"needed_version", diff.needed_version()},
               {"version_suffices", diff.version_suffices()},
               {"changes", Json::array()}};
  for (const Change& change : diff.changes)
    json["changes"].push_back(
        {{"level", name_of(change.level)}, {"what", change.what}, {"why", change.why}});
  return json;
}

}  // namespace opkit
