#include "opkit/cli/package_path.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/build_progress.h"
#include "opkit/project/build_record.h"
#include "opkit/project/op_project.h"
#include "opkit/project/project_build.h"

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

Result<fs::path> package_of(const fs::path& folder, Console& console) {
  OPKIT_TRY(const fs::path package, project::package_of_project(folder));
  const auto record = project::record_of(package);
  if (!record) return package;  // it was built without opkit build
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  std::optional<std::string> why = project::source_change(*record, folder);
  if (!why && record->sdk != project::identity_of(sdk)) why = "the SDK has changed";
  if (why) OPKIT_CHECK(rebuild(folder, *record, sdk, *why, console));
  return package;
}

}  // namespace

Result<fs::path> package_at_path(const fs::path& path, Console& console) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Error("OPK-FILE-001", fmt::format("{} does not exist", path.string()),
                 "give a built op project, a package directory or an archive");
  }
  if (project::is_project(path)) return package_of(path, console);
  if (!fs::is_directory(path, ignored)) return path;
  const auto record = project::record_of(path);
  if (!record) return path;
  const auto why = project::source_change(*record, record->project);
  if (!why) return path;
  return Error(
      "OPK-BUILD-012",
      fmt::format("{} is older than its sources: {} since it was built", shown(path), *why),
      fmt::format("opkit build {}", shown(record->project)));
}

}  // namespace opkit::cli
