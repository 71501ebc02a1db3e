#include "opkit/build/project/shared_parts.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "opkit/base/file.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFolders[] = {"op_kernel", "op_host"};

// Takes a word off the front of a line, and blanks before it; false when another stands there.
bool take(std::string_view& line, std::string_view word) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  return true;
}

// Returns the names in #include "...".
std::vector<std::string> quoted_includes(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string whole; std::getline(lines, whole);) {
    std::string_view line = whole;
    if (!take(line, "#") || !take(line, "include") || !take(line, "\"")) continue;
    const size_t end = line.find('"');
    if (end != line.npos && end > 0) names.emplace_back(line.substr(0, end));
  }
  return names;
}

// Tells which files a file of the project may mean. Host code may include the kernel's parts by
// name: the build looks there, too.
std::vector<fs::path> meant_by(const fs::path& file, const std::string& include) {
  return {(file.parent_path() / include).lexically_normal(),
          (fs::path(kFolders[0]) / include).lexically_normal()};
}

bool is_in_folders(const fs::path& file) {
  return std::find(std::begin(kFolders), std::end(kFolders), *file.begin()) != std::end(kFolders);
}

std::vector<fs::path> sources_of(const fs::path& project) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::directory_iterator(project / folder, ignored))
      if (entry.is_regular_file()) found.push_back(fs::path(folder) / entry.path().filename());
  }
  return found;
}

class Copier {
 public:
  Copier(const fs::path& parts, const fs::path& project) : parts_(parts), project_(project) {}

  Result<std::vector<std::string>> run() {
    for (const fs::path& source : sources_of(project_)) open_.push_back(source);
    for (; !open_.empty(); open_.pop_front()) OPKIT_CHECK(look_into(open_.front()));
    std::sort(copied_.begin(), copied_.end());
    return std::move(copied_);
  }

 private:
  Status look_into(const fs::path& file) {
    OPKIT_TRY(const std::string text, read_file(project_ / file));
    for (const std::string& name : quoted_includes(text)) {
      for (const fs::path& part : meant_by(file, name)) OPKIT_CHECK(bring(part));
    }
    return {};
  }

  // Copies a part that the project lacks; nothing when there is no such part.
  Status bring(const fs::path& part) {
    std::error_code ignored;
    if (!is_in_folders(part) || fs::exists(project_ / part, ignored) ||
        !fs::is_regular_file(parts_ / part, ignored))
      return {};
    OPKIT_TRY(const std::string text, read_file(parts_ / part));
    OPKIT_CHECK(write_file(project_ / part, text));
    copied_.push_back(part.string());
    open_.push_back(part);
    return {};
  }

  const fs::path parts_, project_;
  std::deque<fs::path> open_;
  std::vector<std::string> copied_;
};

}  // namespace

Result<std::vector<std::string>> add_shared_parts(const fs::path& parts, const fs::path& project) {
  return Copier(parts, project).run();
}

std::vector<fs::path> with_includes(const fs::path& project, std::vector<fs::path> sources) {
  std::set<fs::path> reached;
  while (!sources.empty()) {
    const fs::path file = std::move(sources.back());
    sources.pop_back();
    if (!is_in_folders(file)) continue;
    const auto text = read_file(project / file);
    if (!text.ok() || !reached.insert(file).second) continue;
    for (const std::string& name : quoted_includes(*text)) {
      for (fs::path& other : meant_by(file, name)) sources.push_back(std::move(other));
    }
  }
  return {reached.begin(), reached.end()};
}

}  // namespace opkit::project
