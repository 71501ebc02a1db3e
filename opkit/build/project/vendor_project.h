// A project in the vendor's layout: op_host/*.cpp with OpDefs, tiling and inference,
// op_kernel/*.cpp, and nothing of opkit; or the same as one folder of a repository with a folder
// per op. opkit builds it through a CMake project of its own in the build folder.
#ifndef OPKIT_BUILD_PROJECT_VENDOR_PROJECT_H_
#define OPKIT_BUILD_PROJECT_VENDOR_PROJECT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

struct VendorProject {
  std::filesystem::path root;
  std::vector<std::filesystem::path> host;     // sources and headers
  std::vector<std::filesystem::path> kernels;  // op_kernel/*.cpp
  std::string vendor;                          // is what CMakePresets.json says, else "customize"
};

// Tells whether a folder is such a project: both folders with sources, and a CMakeLists.txt that
// neither finds opkit nor calls opkit_add_op, or none and an OpDef or no contract.
bool is_vendor_project(const std::filesystem::path& root);

// Folders for other chips' architectures (arch35 ...) and tests are left out.
VendorProject read_vendor_project(const std::filesystem::path& root);

// Returns the source of an op's kernel: <snake>.cpp, or the only one there is. Empty: none.
std::filesystem::path kernel_of(const VendorProject& project, const std::string& op_type,
                                bool only_op);

// Kernels include neighbours as "../other_op/file.h", because the vendor's build puts every op's
// kernel files into one folder per op beside the others. Makes such folders (of links) for the
// neighbours that are found, and returns the folder from which they are seen; empty: none is
// needed.
Result<std::filesystem::path> stage_neighbours(const VendorProject& project,
                                               const std::filesystem::path& kernel,
                                               const std::filesystem::path& folder);

// One op of the generated project.
struct VendorOp {
  std::string name;  // snake_case
  std::filesystem::path contract, kernel, package;
  std::filesystem::path stage;  // empty: none
};

// Returns the line of CMake that reads the project's OpDefs: it names every host source.
std::string definitions_target(const VendorProject& project);
// Writes CMakeLists.txt and a folder per op below `folder`. Unchanged files stay as they are.
Status write_cmake_project(const VendorProject& project, const std::filesystem::path& folder,
                           const std::string& vendor, const std::vector<VendorOp>& ops);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_VENDOR_PROJECT_H_
