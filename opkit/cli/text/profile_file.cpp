#include "opkit/cli/text/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "opkit/base/file.h"
#include "opkit/base/json.h"
#include "opkit/cli/text/timed_text.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFile = "profile.json";

Error not_a_profile(const fs::path& path, const std::string& why) {
  return Error("OPK-CLI-030", fmt::format("{} is no profile: {}", path.string(), why),
               "name a folder of opkit profile --out, or the output of opkit profile --json");
}

Result<NamedProfile> parse(const fs::path& path, const std::string& text) {
  const Json json = Json::parse(text).value_or(Json());
  const Json& figures = json["figures"];
  if (!figures.is_object()) return not_a_profile(path, "it has no figures");
  const auto word = [&](const char* key) { return json[key].text_or(""); };
  NamedProfile profile{word(json.contains("name") ? "name" : "op"), word("soc"), {}};
  for (size_t i = 0; i < figures.size(); ++i) {
    const std::string& name = figures.keys()[i];
    const auto value = figures[i].natural();
    if (!value) return not_a_profile(path, fmt::format("{} is no whole number", name));
    profile.figures.push_back({name, *value});
  }
  return profile;
}

Result<NamedProfile> read_one(const fs::path& file) {
  OPKIT_TRY(const std::string text, read_file(file));
  return parse(file, text);
}

// Returns the number that a launch's folder starts with; 0 for another folder.
unsigned number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  unsigned number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  return failure == std::errc() && *end == '_' ? number : 0;
}

}  // namespace

std::vector<fs::path> launch_folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (number_of(entry.path()) && fs::is_regular_file(entry.path() / kFile, failed))
      folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(number_of(a), a) < std::pair(number_of(b), b);
  });
  return folders;
}

bool is_kept_profile(const std::string& word) {
  std::error_code failed;
  if (fs::is_directory(word, failed))
    return fs::is_regular_file(fs::path(word) / kFile, failed) || !launch_folders(word).empty();
  return word.ends_with(".json") && fs::is_regular_file(word, failed);
}

Result<std::vector<NamedProfile>> read_profiles(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    files.push_back(path);
  } else if (fs::is_regular_file(path / kFile, failed)) {
    files.push_back(path / kFile);
  } else {
    for (const fs::path& folder : launch_folders(path)) files.push_back(folder / kFile);
  }
  if (files.empty()) return not_a_profile(path, "no profile lies in it");
  std::vector<NamedProfile> profiles;
  for (const fs::path& file : files) {
    OPKIT_TRY(NamedProfile profile, read_one(file));
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

Json to_json(const NamedProfile& profile) {
  return {{"name", profile.name}, {"soc", profile.soc}, {"figures", figures_json(profile.figures)}};
}

}  // namespace opkit::cli
