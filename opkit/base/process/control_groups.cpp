#include "opkit/base/process/control_groups.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace opkit {
namespace fs = std::filesystem;
namespace {

// Version 1 says the largest whole page where there is no limit.
constexpr uint64_t kAsGoodAsNone = uint64_t{1} << 60;

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, between);) parts.push_back(std::move(part));
  return parts;
}

bool names(std::string_view list, std::string_view word) {
  for (const std::string& each : parts_of(list, ','))
    if (each == word) return true;
  return false;
}

struct Mount {
  std::string root, point;
};

// Finds the mount of the hierarchy that has the controller; empty: of version 2.
std::optional<Mount> mount_of(const std::string& mounts, std::string_view controller) {
  for (const std::string& line : parts_of(mounts, '\n')) {
    const std::vector<std::string> words = parts_of(line, ' ');
    size_t dash = 6;  // behind as many fields as there are
    while (dash < words.size() && words[dash] != "-") ++dash;
    if (dash + 3 >= words.size()) continue;
    const std::string& type = words[dash + 1];
    const bool that = controller.empty() ? type == "cgroup2"
                                         : type == "cgroup" && names(words[dash + 3], controller);
    if (that) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

// "4:memory:/a/b", "0::/a/b".
std::optional<std::string> group_of(const std::string& groups, std::string_view controller) {
  for (const std::string& line : parts_of(groups, '\n')) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view list = std::string_view(line).substr(first + 1, second - first - 1);
    if (controller.empty() ? list.empty() : names(list, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

// A container sees its own group as the mount's root.
std::string below(const std::string& group, const std::string& root) {
  if (group.find("..") != std::string::npos) return "/";
  if (root == "/" || !group.starts_with(root)) return group;
  return group.substr(root.size());
}

std::optional<uint64_t> number_in(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (failure != std::errc() || number >= kAsGoodAsNone) return std::nullopt;  // "max"
  return number;
}

std::optional<std::string> bytes_of_file(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  if (!stream || !(text << stream.rdbuf())) return std::nullopt;
  return text.str();
}

}  // namespace

ControlGroups ControlGroups::of_this_process() {
  return {bytes_of_file("/proc/self/cgroup").value_or(""),
          bytes_of_file("/proc/self/mountinfo").value_or(""), bytes_of_file};
}

std::optional<ControlGroups::Allowed> ControlGroups::memory() const {
  return least("memory", "memory.max", "memory.limit_in_bytes");
}

std::optional<ControlGroups::Allowed> ControlGroups::processes() const {
  return least("pids", "pids.max", "pids.max");
}

std::optional<ControlGroups::Allowed> ControlGroups::least(std::string_view controller,
                                                           const char* file,
                                                           const char* old_file) const {
  std::optional<Allowed> least;
  for (const std::string_view hierarchy : {std::string_view(), controller}) {
    const auto mount = mount_of(mounts_, hierarchy);
    const auto group = group_of(groups_, hierarchy);
    if (!mount || !group) continue;
    const char* name = hierarchy.empty() ? file : old_file;
    const fs::path top = mount->point;
    for (fs::path at = below(*group, mount->root);; at = at.parent_path()) {
      const auto most = number_in(read_(top / at.relative_path() / name));
      if (most && (!least || *most < least->most)) least = Allowed{*most, at.string()};
      if (!at.has_relative_path()) break;
    }
  }
  return least;
}

}  // namespace opkit
