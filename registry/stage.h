// Stage: a directory inside an OPP, on the same file system as what is installed, so that
// publishing is one rename.
#ifndef OPKIT_REGISTRY_STAGE_H_
#define OPKIT_REGISTRY_STAGE_H_

#include <filesystem>
#include <memory>
#include <utility>

#include "opkit/base/status.h"
#include "registry/package_lease.h"

namespace opkit::registry {

// An empty directory that is removed with all it holds at the end of its life; a package in it that
// somebody has a lease of stays, for a later installer. Its own lease keeps others from removing
// it, so that it needs no lock.
class Stage {
 public:
  // Creates the OPP when it is absent. OPK-INSTALL-004, OPK-PKG-013.
  static Result<Stage> make(const std::filesystem::path& opp);

  Stage(Stage&&) noexcept = default;
  Stage(const Stage&) = delete;
  ~Stage();

  const std::filesystem::path& path() const { return lease_->name(); }

 private:
  explicit Stage(std::unique_ptr<PackageLease> lease) : lease_(std::move(lease)) {}
  std::unique_ptr<PackageLease> lease_;
};

// Removes a directory, or moves it aside while somebody has a lease of it.
void discard(const std::filesystem::path& opp, const std::filesystem::path& directory);

// Creates the folder that locks and stages lie in. OPK-INSTALL-004, OPK-PKG-013.
Status make_work_folder(const std::filesystem::path& opp);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_STAGE_H_
