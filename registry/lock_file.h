// The lock file: which package served each op when it was written, by the digest of all its files.
// Who asks for the same set gets it or a refusal.
#ifndef OPKIT_REGISTRY_LOCK_FILE_H_
#define OPKIT_REGISTRY_LOCK_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "registry/package.h"

namespace opkit::registry {

inline constexpr const char* kLockFile = "opkit.lock";

struct LockedPackage {
  std::string op, vendor, version;
  std::string digest;  // package_digest
};

struct LockedSet {
  std::string file;                     // where it was read; for messages
  std::vector<LockedPackage> packages;  // are sorted by op, each once
};

// Returns the digest of the text that a signature signs (signature.h): of all files but the
// signature. REQUIRES: check_package has found the files to be those of the manifest.
Result<std::string> package_digest(const Package& package);

// OPK-LOCK-001.
Result<LockedSet> parse_lock(std::string_view text, const std::string& name);
Result<LockedSet> load_lock(const std::filesystem::path& file);
std::string to_text(const LockedSet& set);

// OPK-LOCK-002 another package than the set's serves the op; -003 the set does not hold the op.
Status check_locked(const LockedSet& set, const Package& package);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_LOCK_FILE_H_
