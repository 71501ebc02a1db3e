// Upgrades and their way back. The earlier version stays beside the new one, which serves because
// it is higher; a rollback takes the highest version out of the search by one rename and keeps its
// bytes in <opp>/.opkit/rolled-back, from where they can return.
#ifndef OPKIT_REGISTRY_UPGRADE_H_
#define OPKIT_REGISTRY_UPGRADE_H_

#include <string>

#include "registry/install.h"

namespace opkit::registry {

// Installs a version and leaves load_priority as it is. Refusals are those of install(), and
// OPK-INSTALL-006 when the vendor has no version of the op, -010 when it has this one or a higher
// one; both are judged under the OPP's lock.
Result<InstallReport> upgrade(const InstallRequest& request, const HostFacts& host);

struct RollbackRequest {
  std::filesystem::path opp{};
  std::string op{};
  std::string vendor{};  // empty: the only one that has the op
  bool undo = false;     // brings back what was rolled back
  std::chrono::seconds lock_timeout{30};
  const LayoutMaker* layout = nullptr;  // makes the files for build files, as when installing
};

struct RollbackReport {
  std::string vendor, op;
  std::string from, to;  // the versions that served before and serve now
};

// OPK-INSTALL-006 no such op, -007 several vendors have it, -011 there is no version to go to, or
// it is broken or does not fit this host; those of judge (trust.h) when the search would refuse it.
// Then nothing changes.
Result<RollbackReport> rollback(const RollbackRequest& request, const HostFacts& host);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_UPGRADE_H_
