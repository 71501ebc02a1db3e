// A program as the files of a C++17 project that needs nothing else.
#ifndef OPKIT_MODEL_EXPORT_WRITE_PROJECT_H_
#define OPKIT_MODEL_EXPORT_WRITE_PROJECT_H_

#include <filesystem>
#include <map>
#include <string>

#include "opkit/model/export/program.h"

namespace opkit::model_export {

struct Project {
  std::map<std::string, std::string> files;  // is keyed by name
  size_t calls = 0;                          // functions
  uint64_t weight_bytes = 0, block_bytes = 0;
};

// Error: OPK-EXPORT-001 with every operator that has no source, and why. REQUIRES: complete().
Result<Project> project_of(const ExportedProgram& program);

// Error: OPK-EXPORT-003 the folder is there and not empty.
Status check_folder(const std::filesystem::path& folder);
// The folder appears when all files are written. Errors: check_folder's; those of writing.
Status write_project(const Project& project, const std::filesystem::path& folder);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_WRITE_PROJECT_H_
