// A folder of its own for temporary files, removed at the end. What a killed command left is
// removed by the next one that makes a folder.
#ifndef OPKIT_BUILD_PROJECT_SCRATCH_H_
#define OPKIT_BUILD_PROJECT_SCRATCH_H_

#include <filesystem>
#include <memory>
#include <vector>

#include "opkit/base/status.h"
#include "registry/package_lease.h"

namespace opkit::project {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // OPK-ENV-004 when there is no folder.
  Status check() const;
  const std::filesystem::path& path() const { return path_; }

  // Lists this user's folders of commands that have ended without removing them, sorted.
  static std::vector<std::filesystem::path> left_over();

 private:
  std::filesystem::path path_;
  std::unique_ptr<registry::PackageLease> lease_;  // tells others that the folder is in use
};

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_SCRATCH_H_
