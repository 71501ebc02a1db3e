#include "opkit/cli/options/package_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/file.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/build_record.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/op_project.h"
#include "opkit/build/project/project_build.h"
#include "opkit/cli/options/build_progress.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Status rebuild(const fs::path& folder, const project::BuildRecord& record, const project::Sdk& sdk,
               const std::string& why, Console& console) {
  BuildProgress progress(console, fmt::format("build {}", shown(folder)));
  progress.step(fmt::format("again: {}", why));
  project::BuildRequest request{.project = folder,
                                .build = {},
                                .sdk = sdk,
                                .build_type = record.build_type,
                                .includes = record.includes,
                                .macros = record.macros,
                                .vendor = record.vendor};
  const auto built = project::build_project(request, progress);
  return built.ok() ? Status() : built.error();
}

// Builds the project again when `package`, one of its own, is older than its sources.
Status renew(const fs::path& folder, const fs::path& package, Console& console) {
  const auto record = project::record_of(package);
  if (!record) return {};  // it was built without opkit build
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  std::optional<std::string> why = project::source_change(*record, folder);
  if (!why && record->sdk != project::identity_of(sdk)) why = "the SDK has changed";
  if (why) OPKIT_CHECK(rebuild(folder, *record, sdk, *why, console));
  return {};
}

bool is_contract_of_project(const fs::path& path) {
  const fs::path folder = path.parent_path();
  if (!project::is_project(folder)) return false;
  const std::vector<fs::path> contracts = project::contracts_of(folder);
  return std::find(contracts.begin(), contracts.end(), path) != contracts.end();
}

Status check_exists(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return {};
  return Error("OPK-FILE-001", fmt::format("{} does not exist", path.string()),
               "give a built op project, a package directory or an archive");
}

}  // namespace

Result<fs::path> package_at_path(const fs::path& path, Console& console) {
  OPKIT_CHECK(check_exists(path));
  if (project::is_project(path)) {
    OPKIT_TRY(const fs::path package, project::package_of_project(path));
    OPKIT_CHECK(renew(path, package, console));
    return project::package_of_project(path);
  }
  if (is_contract_of_project(path)) {
    OPKIT_TRY(const fs::path package, project::package_of_contract(path));
    OPKIT_CHECK(renew(path.parent_path(), package, console));
    return package;
  }
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return path;
  const auto record = project::record_of(path);
  if (!record) return path;
  const auto why = project::source_change(*record, record->project);
  if (!why) return path;
  return Error(
      "OPK-BUILD-012",
      fmt::format("{} is older than its sources: {} since it was built", shown(path), *why),
      "opkit build " + shell_word(shown(record->project)));
}

Result<std::vector<fs::path>> packages_at_path(const fs::path& path, Console& console) {
  const bool family = project::is_project(path) && project::contracts_of(path).size() > 1;
  if (!family) {
    OPKIT_TRY(fs::path only, package_at_path(path, console));
    return std::vector<fs::path>{std::move(only)};
  }
  OPKIT_TRY(const std::vector<fs::path> packages, project::packages_of_project(path));
  OPKIT_CHECK(renew(path, packages.front(), console));
  return project::packages_of_project(path);
}

}  // namespace opkit::cli
