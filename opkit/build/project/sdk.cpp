#include "opkit/build/project/sdk.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "opkit/base/digest.h"
#include "opkit/base/document.h"
#include "opkit/base/process/own_executable.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDevFile = "opkit_dev.yaml";

Result<Sdk> development_sdk(const fs::path& executable, const fs::path& file) {
  OPKIT_TRY(const Document document, Document::load(file));
  const Value& root = document.root();
  OPKIT_CHECK(root.check_keys(
      "sdk", {"templates", "shared", "cmake_dir", "include", "forwards", "runtime", "python"}));
  Sdk sdk;
  sdk.executable = executable;
  sdk.development = true;
  for (auto [key, target] :
       {std::pair{"templates", &sdk.templates}, std::pair{"shared", &sdk.shared},
        std::pair{"cmake_dir", &sdk.cmake_dir}, std::pair{"include", &sdk.include},
        std::pair{"forwards", &sdk.forwards}, std::pair{"runtime", &sdk.runtime},
        std::pair{"python", &sdk.python}}) {
    const Value* value = root.find(key);
    if (!value) return Error("OPK-ENV-001", fmt::format("{} has no {}", file.string(), key));
    OPKIT_TRY(*target, value->as_string(key));
  }
  return sdk;
}

}  // namespace

Result<Sdk> find_sdk() { return find_sdk(own_executable()); }

Result<Sdk> find_sdk(const fs::path& executable) {
  const fs::path here = executable.parent_path();
  std::error_code ignored;
  if (fs::exists(here / kDevFile, ignored)) return development_sdk(executable, here / kDevFile);
  const fs::path prefix = here.parent_path();
  const Sdk sdk{.executable = executable,
                .templates = prefix / "share" / "opkit" / "templates",
                .shared = prefix / "share" / "opkit" / "shared",
                .cmake_dir = prefix / OPKIT_CMAKE_SUBDIR,
                .include = prefix / "include",
                .runtime = prefix / OPKIT_LIBDIR / "libopkit_acl.so",
                .python = prefix / OPKIT_LIBDIR / "opkit/python"};
  if (fs::is_directory(sdk.templates, ignored)) return sdk;
  return Error("OPK-ENV-001",
               fmt::format("{} has no SDK beside it: {} does not exist", executable.string(),
                           sdk.templates.string()),
               "install the whole SDK with cmake --install and run the opkit in its bin folder");
}

std::string identity_of(const Sdk& sdk) {
  std::vector<std::string> lines;
  for (const char* part : {"abi", "include"}) {
    std::error_code failure;
    fs::recursive_directory_iterator walk(sdk.include / "opkit" / part, failure);
    for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
      if (!walk->is_regular_file(failure)) continue;
      const fs::path& file = walk->path();
      lines.push_back(fmt::format("{} {} {}", file.lexically_relative(sdk.include).string(),
                                  fs::file_size(file, failure),
                                  fs::last_write_time(file, failure).time_since_epoch().count()));
    }
  }
  std::sort(lines.begin(), lines.end());
  return sha256_hex(fmt::format("{}", fmt::join(lines, "\n")));
}

std::vector<std::string> header_words(const Sdk& sdk) {
  std::vector<std::string> words = {"-isystem", sdk.include.string(), "-isystem",
                                    (sdk.include / "opkit" / "include").string()};
  if (!sdk.forwards.empty()) words.insert(words.end(), {"-isystem", sdk.forwards.string()});
  return words;
}

std::string kit_version() { return OPKIT_VERSION; }

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    std::error_code ignored;
    const bool file = fs::is_regular_file(candidate, ignored);
    if (file && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace opkit::project
