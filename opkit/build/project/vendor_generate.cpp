#include "opkit/build/project/vendor_generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/base/file.h"
#include "opkit/base/json.h"
#include "opkit/build/project/vendor_op_text.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPresets = "CMakePresets.json";

constexpr const char* kTop = R"cmake(cmake_minimum_required(VERSION 3.19)
project(opp)
find_package(ASC REQUIRED HINTS ${ASCEND_CANN_PACKAGE_PATH}/compiler/tikcpp/ascendc_kernel_cmake)

set(package_name ${vendor_name})
npu_op_package(${package_name}
  TYPE RUN
  CONFIG
    ENABLE_SOURCE_PACKAGE ${ENABLE_SOURCE_PACKAGE}
    ENABLE_BINARY_PACKAGE ${ENABLE_BINARY_PACKAGE}
    INSTALL_PATH ${CMAKE_BINARY_DIR}
)
add_subdirectory(op_host)
add_subdirectory(op_kernel)
)cmake";

constexpr const char* kHost =
    R"cmake(file(GLOB host_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
npu_op_code_gen(SRC ${host_sources} PACKAGE ${package_name} OUT_DIR ${ASCEND_AUTOGEN_PATH})

file(GLOB api_sources ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
file(GLOB proto_sources ${ASCEND_AUTOGEN_PATH}/op_proto.cc)
file(GLOB fallback_sources ${ASCEND_AUTOGEN_PATH}/fallback_*.cpp)
set_source_files_properties(${api_sources} ${proto_sources} ${fallback_sources} PROPERTIES GENERATED TRUE)

npu_op_library(cust_opapi ACLNN ${api_sources})
npu_op_library(cust_op_proto GRAPH ${host_sources} ${proto_sources})
npu_op_library(cust_optiling TILING ${host_sources} ${fallback_sources})
foreach(library cust_opapi cust_op_proto cust_optiling)
  target_compile_options(${library} PRIVATE -fvisibility=hidden)
endforeach()
npu_op_package_add(${package_name} LIBRARY cust_optiling cust_opapi cust_op_proto)
)cmake";

constexpr const char* kKernel =
    R"cmake(# Options of the kernels' compiler: npu_op_kernel_options(ascendc_kernels ALL OPTIONS -DNAME)
npu_op_kernel_sources(ascendc_kernels KERNEL_DIR ./)
npu_op_kernel_library(ascendc_kernels SRC_BASE ${CMAKE_SOURCE_DIR}/op_kernel/ TILING_LIBRARY cust_optiling)
npu_op_package_add(${package_name} LIBRARY ascendc_kernels)
)cmake";

constexpr const char* kBuild = R"sh(#!/bin/bash
# Builds the ops and their installer, build_out/custom_opp_<os>_<arch>.run. Needs the toolkit's set_env.sh.
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
if [ -z "${ASCEND_HOME_PATH:-}" ]; then
  echo "ASCEND_HOME_PATH is not set: source the toolkit's set_env.sh first" >&2
  exit 1
fi
rm -rf build_out
cmake -S . -B build_out --preset=default
cmake --build build_out --target binary -j"$(nproc)"
cmake --build build_out --target package
)sh";

Json cache_text(const std::string& value) { return {{"type", "STRING"}, {"value", value}}; }
Json cache_switch(const char* value) { return {{"type", "BOOL"}, {"value", value}}; }

std::string units_text(const std::vector<std::string>& units) {
  return fmt::format("{}", fmt::join(units, ";"));
}

std::string presets_text(const std::vector<std::string>& units) {
  const Json variables = {
      {"CMAKE_BUILD_TYPE", cache_text("Release")},
      {"ENABLE_SOURCE_PACKAGE", cache_switch("True")},
      {"ENABLE_BINARY_PACKAGE", cache_switch("True")},
      {"ASCEND_COMPUTE_UNIT", cache_text(units_text(units))},
      {"vendor_name", cache_text("customize")},
      {"ASCEND_CANN_PACKAGE_PATH", {{"type", "PATH"}, {"value", "$env{ASCEND_HOME_PATH}"}}},
      {"CMAKE_INSTALL_PREFIX", {{"type", "PATH"}, {"value", "${sourceDir}/build_out"}}}};
  Json preset = {{"name", "default"},
                 {"displayName", "Default"},
                 {"generator", "Unix Makefiles"},
                 {"binaryDir", "${sourceDir}/build_out"},
                 {"cacheVariables", variables}};
  const Json all = {{"version", 1},
                    {"cmakeMinimumRequired", {{"major", 3}, {"minor", 19}, {"patch", 0}}},
                    {"configurePresets", Json::array({preset})}};
  return all.dump(2) + "\n";
}

std::map<std::string, std::string> project_files(const std::vector<std::string>& units) {
  return {{"CMakeLists.txt", kTop},
          {kPresets, presets_text(units)},
          {"build.sh", kBuild},
          {"op_host/CMakeLists.txt", kHost},
          {"op_kernel/CMakeLists.txt", kKernel}};
}

Error cannot_add(const fs::path& folder, const std::string& why) {
  return Error("OPK-MSOPGEN-005", fmt::format("no op can be added to {}: {}", folder.string(), why),
               "name a project that msopgen gen made, or make one with -m 0");
}

// Returns the units that the presets of a project name.
Result<std::vector<std::string>> units_in(const fs::path& folder) {
  const auto text = read_file(folder / kPresets);
  if (!text.ok()) return cannot_add(folder, fmt::format("it has no {}", kPresets));
  const Json json = Json::parse(*text).value_or(Json());
  const Json& preset = json["configurePresets"][size_t{0}];
  const Json& variable = preset["cacheVariables"]["ASCEND_COMPUTE_UNIT"];
  if (variable.is_null())
    return cannot_add(folder, fmt::format("{} names no ASCEND_COMPUTE_UNIT", kPresets));
  const std::string* unit = variable.is_object() ? variable["value"].text() : variable.text();
  if (unit == nullptr)
    return cannot_add(folder, fmt::format("ASCEND_COMPUTE_UNIT of {} is no text", kPresets));
  std::vector<std::string> units;
  std::string list = *unit + ";";
  for (size_t begin = 0, end; (end = list.find(';', begin)) != std::string::npos; begin = end + 1)
    units.push_back(list.substr(begin, end - begin));
  return units;
}

Status check_addition(const VendorRequest& request) {
  OPKIT_TRY(const auto units, units_in(request.folder));
  for (const std::string& unit : request.units) {
    if (std::find(units.begin(), units.end(), unit) != units.end()) continue;
    return cannot_add(request.folder, fmt::format("its ASCEND_COMPUTE_UNIT is {}, without {}",
                                                  units_text(units), unit));
  }
  for (const char* part : {"op_host", "op_kernel"})
    if (!fs::is_directory(request.folder / part))
      return cannot_add(request.folder, fmt::format("it has no folder {}", part));
  return {};
}

Status check_free(const fs::path& folder, const std::map<std::string, std::string>& files) {
  std::error_code failure;
  for (const auto& [file, text] : files)
    if (fs::exists(folder / file, failure))
      return Error("OPK-MSOPGEN-004", fmt::format("{} is there already", (folder / file).string()),
                   "name another folder with -out, or remove it");
  return {};
}

// Removes what it wrote unless it is told that all of it is there.
class Writing {
 public:
  explicit Writing(fs::path folder) : folder_(std::move(folder)) {}
  ~Writing() {
    std::error_code ignored;
    for (auto it = made_.rbegin(); it != made_.rend(); ++it) fs::remove(*it, ignored);
  }

  Status write(const std::string& file, const std::string& text) {
    const fs::path target = folder_ / file;
    OPKIT_CHECK(make_folder(fs::absolute(target).parent_path()));
    made_.push_back(target);
    OPKIT_CHECK(write_file(target, text));
    if (target.extension() != ".sh") return {};
    std::error_code failure;
    fs::permissions(target, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, failure);
    return {};
  }
  void keep() { made_.clear(); }

 private:
  Status make_folder(const fs::path& wanted) {
    std::vector<fs::path> missing;
    std::error_code failure;
    for (fs::path at = wanted; !at.empty() && !fs::exists(at, failure); at = at.parent_path())
      missing.push_back(at);
    for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
      fs::create_directory(*it, failure);
      if (failure)
        return Error("OPK-ENV-004",
                     fmt::format("cannot make {}: {}", it->string(), failure.message()),
                     "name a folder that you may write with -out");
      made_.push_back(*it);
    }
    return {};
  }

  fs::path folder_;
  std::vector<fs::path> made_;
};

}  // namespace

Result<std::vector<std::string>> generate_vendor_project(const OpContract& contract,
                                                         const VendorRequest& request) {
  OPKIT_TRY(auto files, vendor_op_files(contract, request.units));
  if (request.add) {
    OPKIT_CHECK(check_addition(request));
  } else {
    files.merge(project_files(request.units));
  }
  OPKIT_CHECK(check_free(request.folder, files));
  Writing writing(request.folder);
  std::vector<std::string> names;
  for (const auto& [file, text] : files) {
    OPKIT_CHECK(writing.write(file, text));
    names.push_back(file);
  }
  writing.keep();
  return names;
}

}  // namespace opkit::project
