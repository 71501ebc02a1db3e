#include "opkit/build/project/plain_project.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/vendor_project.h"

namespace opkit::project {
namespace fs = std::filesystem;

bool is_plain_project(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / "CMakeLists.txt", ignored) || contracts_of(folder).empty() ||
      is_vendor_project(folder))
    return false;
  const auto holds = [&](const char* name) { return fs::is_directory(folder / name, ignored); };
  return holds("op_kernel") || holds("op_kernel_aicpu") || holds("cpukernel/impl");
}

Status write_plain_project(const fs::path& project, const fs::path& folder,
                           const std::string& vendor) {
  const bool family = !package_name(contracts_of(project).front()).empty();
  return write_if_new(folder / "CMakeLists.txt",
                      fmt::format("# Made by opkit build.\n"
                                  "cmake_minimum_required(VERSION 3.20)\n"
                                  "project(plain_ops LANGUAGES CXX)\n"
                                  "find_package(opkit REQUIRED)\n"
                                  "{}(VENDOR {} FOLDER [[{}]] SHARED_PARTS)\n",
                                  family ? "opkit_add_family" : "opkit_add_op",
                                  vendor.empty() ? "customize" : vendor,
                                  fs::absolute(project).lexically_normal().string()));
}

}  // namespace opkit::project
