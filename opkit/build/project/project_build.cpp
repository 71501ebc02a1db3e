#include "opkit/build/project/project_build.h"

#include <fmt/format.h>

#include "opkit/build/project/build_record.h"
#include "opkit/build/project/cmake_build.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/op_project.h"
#include "opkit/build/project/plain_project.h"
#include "opkit/build/project/stale_packages.h"
#include "opkit/build/project/vendor_build.h"
#include "opkit/build/project/vendor_project.h"
#include "opkit/contract/op_contract.h"
#include "registry/package_form.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

Status check_project(const fs::path& project) {
  const std::vector<fs::path> contracts = contracts_of(project);
  if (!is_opkit_project(project)) {
    return Error("OPK-BUILD-001",
                 fmt::format("{} is no op project: it has no {}", project.string(),
                             contracts.empty() ? "op_contract.yaml" : "op_kernel"),
                 "opkit new MyFused --template elementwise makes one; a project in the vendor's "
                 "layout has op_host/*.cpp and op_kernel/*.cpp");
  }
  for (const fs::path& file : contracts) {
    const auto contract = OpContract::load(file);
    if (!contract) return contract.error();
  }
  return {};
}

Result<BuildPlan> plan_of(const BuildRequest& request, bool own_cmake) {
  BuildPlan plan{.project = request.project,
                 .source = request.project,
                 .build = request.build.empty() ? build_folder(request.project) : request.build,
                 .sdk = request.sdk,
                 .jobs = request.jobs,
                 .build_type = request.build_type,
                 .includes = request.includes,
                 .macros = request.macros,
                 .column = request.column};
  if (!own_cmake) plan.source = plan.build / "project";
  std::error_code failure;
  if (request.clean && fs::exists(plan.build / "CMakeCache.txt")) {
    fs::remove_all(plan.build, failure);
  }
  fs::create_directories(plan.build, failure);
  if (!failure) return plan;
  return Error("OPK-ENV-004",
               fmt::format("cannot make {}: {}", plan.build.string(), failure.message()),
               "choose a folder that you may write with --build-dir");
}

Result<std::vector<fs::path>> build_opkit_project(const BuildPlan& plan, BuildEvents& events) {
  std::string log;
  events.step("configuring");
  OPKIT_CHECK(configure(plan, log));
  events.step("compiling");
  OPKIT_CHECK(compile(plan, "", events, log));
  std::vector<fs::path> packages;
  for (const fs::path& contract : contracts_of(plan.project))
    packages.push_back(plan.build / "package" / package_name(contract));
  return packages;
}

Result<registry::Package> built_package(const BuildPlan& plan, const fs::path& folder) {
  if (!fs::exists(folder / registry::kManifestName)) {
    return Error("OPK-BUILD-007",
                 fmt::format("the build of {} made no package in {}", plan.project.string(),
                             folder.string()),
                 "call opkit_add_op(...) in its CMakeLists.txt");
  }
  return registry::usable_package(folder, registry::HostFacts::of_this_process());
}

}  // namespace

Result<std::vector<registry::Package>> build_project(const BuildRequest& request,
                                                     BuildEvents& events) {
  const bool vendor = is_vendor_project(request.project);
  if (!vendor) OPKIT_CHECK(check_project(request.project));
  const bool plain = !vendor && is_plain_project(request.project);
  OPKIT_TRY(const BuildPlan plan, plan_of(request, !vendor && !plain));
  if (plain) OPKIT_CHECK(write_plain_project(plan.project, plan.source, request.vendor));
  const auto begin = fs::file_time_type::clock::now();
  std::vector<fs::path> folders;
  if (vendor) {
    OPKIT_TRY(folders, build_vendor_project(plan, request.vendor, events));
  } else {
    OPKIT_TRY(folders, build_opkit_project(plan, events));
  }
  std::vector<registry::Package> packages;
  for (const fs::path& folder : folders) {
    OPKIT_TRY(registry::Package package, built_package(plan, folder));
    packages.push_back(std::move(package));
  }
  // A CMakeLists.txt of the project's own may make further packages.
  if (vendor || plain) remove_stale_packages(plan.build / "package", folders);
  OPKIT_CHECK(record_build(plan, request.vendor, folders, begin));
  return packages;
}

}  // namespace opkit::project
