#include "opkit/build/project/build_record.h"

#include <set>
#include <sstream>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/base/json.h"
#include "opkit/base/process/child.h"
#include "opkit/build/project/source_files.h"
#include "registry/package_form.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRecordFile = "opkit_build.json";

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path resolved(const fs::path& path) {
  std::error_code failure;
  const fs::path real = fs::weakly_canonical(path, failure);
  return failure ? fs::absolute(path).lexically_normal() : real;
}

// Returns what the compiler read, as ninja remembers it: "    <path>" below each object.
std::vector<fs::path> compiled_files(const fs::path& build) {
  std::vector<fs::path> files;
  const auto said = run_program({"ninja", "-C", build.string(), "-t", "deps"});
  if (!said.ok() || !said->ok()) return files;  // another generator: the folders alone
  std::istringstream lines(said->output);
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    ", 0) != 0 || !seen.insert(line).second) continue;
    files.push_back(resolved(build / line.substr(4)));
  }
  return files;
}

// Sources of the project wherever they lie; what the SDK, the system and the build bring is not.
std::set<fs::path> sources_of(const BuildPlan& plan) {
  const fs::path project = resolved(plan.project), build = resolved(plan.build);
  const fs::path sdk = resolved(plan.sdk.include);
  std::set<fs::path> files;
  for (const fs::path& file : compiled_files(build)) {
    const bool foreign = is_below(file, build) || is_below(file, "/usr") || is_below(file, sdk);
    if (!foreign || (is_below(file, project) && !is_below(file, build))) files.insert(file);
  }
  for (const char* folder : {"op_host", "op_kernel"}) {
    for (const fs::path& file : files_below(project / folder, {".cpp", ".h", ".hpp", ".inc"}))
      files.insert(file);
  }
  std::error_code failure;
  for (fs::directory_iterator at(project, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (name == "CMakeLists.txt" || name.ends_with(".yaml")) files.insert(at->path());
  }
  return files;
}

std::string name_in(const fs::path& file, const fs::path& project) {
  return (is_below(file, project) ? file.lexically_relative(project) : file).string();
}

std::string digest_of(const fs::path& file) {
  const auto digest = sha256_file(file);
  return digest.ok() ? *digest : std::string();
}

Json to_json(const BuildRecord& record) {
  return {{"project", record.project.string()},
          {"sdk", record.sdk},
          {"build_type", record.build_type},
          {"vendor", record.vendor},
          {"includes", record.includes},
          {"macros", record.macros},
          {"files", record.files},
          {"packages", record.packages}};
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list.items()) texts.push_back(item.text_or(""));
  return texts;
}

std::map<std::string, std::string> named_texts_of(const Json& object) {
  std::map<std::string, std::string> texts;
  for (size_t i = 0; i < object.keys().size(); ++i) texts[object.keys()[i]] = object[i].text_or("");
  return texts;
}

// A record that somebody changed by hand says at worst that the build has to run again.
std::optional<BuildRecord> read_record(const fs::path& file) {
  const auto text = read_file(file);
  if (!text.ok()) return {};
  const auto json = Json::parse(*text);
  if (!json) return {};
  for (const char* list : {"includes", "macros"})
    if (!(*json)[list].is_array()) return {};
  for (const char* object : {"files", "packages"})
    if (!(*json)[object].is_object()) return {};
  BuildRecord record;
  record.project = (*json)["project"].text_or("");
  record.sdk = (*json)["sdk"].text_or("");
  record.build_type = (*json)["build_type"].text_or("");
  record.vendor = (*json)["vendor"].text_or("");
  record.includes = texts_of((*json)["includes"]);
  record.macros = texts_of((*json)["macros"]);
  record.files = named_texts_of((*json)["files"]);
  record.packages = named_texts_of((*json)["packages"]);
  return record;
}

BuildRecord request_of(const BuildPlan& plan, const std::string& vendor) {
  BuildRecord record;
  record.project = resolved(plan.project);
  record.sdk = identity_of(plan.sdk);
  record.build_type = plan.build_type;
  record.vendor = vendor;
  record.includes = plan.includes;
  record.macros = plan.macros;
  return record;
}

// Holds for records of one request and the same packages, while no source has changed.
bool says_the_same(const BuildRecord& earlier, const BuildRecord& now) {
  return earlier.project == now.project && earlier.sdk == now.sdk &&
         earlier.build_type == now.build_type && earlier.vendor == now.vendor &&
         earlier.includes == now.includes && earlier.macros == now.macros &&
         earlier.packages == now.packages && !source_change(earlier, now.project);
}

}  // namespace

Status record_build(const BuildPlan& plan, const std::string& vendor,
                    const std::vector<fs::path>& packages, fs::file_time_type begin) {
  BuildRecord record = request_of(plan, vendor);
  const fs::path build = resolved(plan.build);
  for (const fs::path& package : packages) {
    record.packages[resolved(package).lexically_relative(build).string()] =
        digest_of(package / registry::kManifestName);
  }
  const auto earlier = read_record(plan.build / kRecordFile);
  if (earlier && says_the_same(*earlier, record)) return {};
  for (const fs::path& file : sources_of(plan)) {
    std::error_code failure;
    const bool later = fs::last_write_time(file, failure) >= begin;
    record.files[name_in(file, record.project)] = later ? std::string() : digest_of(file);
  }
  return write_file(plan.build / kRecordFile, to_json(record).dump(1) + "\n");
}

std::optional<BuildRecord> record_of(const fs::path& package) {
  const fs::path place = resolved(package);
  constexpr int kLevels = 4;
  fs::path build = place;
  for (int level = 0; level < kLevels && build.has_parent_path(); ++level) {
    build = build.parent_path();
    const auto record = read_record(build / kRecordFile);
    if (!record) continue;
    const auto found = record->packages.find(place.lexically_relative(build).string());
    if (found == record->packages.end()) return {};
    if (found->second != digest_of(package / registry::kManifestName)) return {};
    return record;
  }
  return {};
}

std::optional<std::string> source_change(const BuildRecord& record, const fs::path& project) {
  const fs::path root = resolved(project);
  for (const auto& [name, digest] : record.files) {
    const fs::path file = root / name;
    std::error_code failure;
    if (!fs::exists(file, failure)) return name + " is gone";
    if (digest.empty() || digest_of(file) != digest) return name + " has changed";
  }
  for (const char* folder : {"op_host", "op_kernel"}) {
    for (const fs::path& file : files_below(root / folder, {".cpp", ".h", ".hpp", ".inc"})) {
      const std::string name = name_in(file, root);
      if (record.files.count(name) == 0) return name + " is new";
    }
  }
  return {};
}

}  // namespace opkit::project
