// A new project in the vendor's layout, or one more op in such a project.
#ifndef OPKIT_BUILD_PROJECT_VENDOR_GENERATE_H_
#define OPKIT_BUILD_PROJECT_VENDOR_GENERATE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::project {

struct VendorRequest {
  std::filesystem::path folder;
  std::vector<std::string> units;  // "ascend910b", as CMakePresets.json and OpDefs name chips
  bool add = false;                // adds to a project that is there
};

// Returns the paths written, relative to the folder, sorted; on failure none of them is left. The
// build files call npu_op_package and its neighbours of find_package(ASC). OPK-MSOPGEN-004: a file
// is there already; -005: no project to add to; and the codes of vendor_op_files() and
// write_file().
Result<std::vector<std::string>> generate_vendor_project(const OpContract& contract,
                                                         const VendorRequest& request);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_VENDOR_GENERATE_H_
