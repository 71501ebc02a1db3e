// A folder of its own for temporary files, removed at the end.
#ifndef OPKIT_PROJECT_SCRATCH_H_
#define OPKIT_PROJECT_SCRATCH_H_

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "opkit/base/status.h"

namespace opkit::project {

class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    std::string pattern = (std::filesystem::temp_directory_path(failed) / "opkit-XXXXXX").string();
    if (!failed && mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // OPK-ENV-004 when there is no folder.
  Status check() const {
    if (!path_.empty()) return {};
    return Error("OPK-ENV-004", "cannot make a folder for temporary files",
                 "set TMPDIR to a folder that you may write");
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace opkit::project

#endif  // OPKIT_PROJECT_SCRATCH_H_
