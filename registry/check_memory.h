// CheckMemory: packages that were found intact, so that nobody hashes a library again that is the
// same file as before. A memory holds for the very files (file_stamps.h). What depends on the host
// or on the place is judged anew each time. Kept in a user's cache, an index (lookup_index.h) for
// each folder <op_pkg> of packages <op_pkg>/<op>/<version>; what is damaged is checked again.
#ifndef OPKIT_REGISTRY_CHECK_MEMORY_H_
#define OPKIT_REGISTRY_CHECK_MEMORY_H_

#include <filesystem>
#include <memory>
#include <optional>

#include "opkit/base/status.h"
#include "registry/lookup_index.h"

namespace opkit::registry {

// Copies share what they know.
class CheckMemory {
 public:
  // `cache_dir` empty: nothing is remembered.
  explicit CheckMemory(std::filesystem::path cache_dir);

  // Returns the index that tells of a package.
  std::filesystem::path file_of(const std::filesystem::path& root) const;
  // Reads the index of an op_pkg folder, which recall does by itself. OPK-REG-010, a warning, when
  // it is damaged: what it does not tell is checked again.
  Status open(const std::filesystem::path& op_pkg) const;
  // Returns nothing unless the files are those that were checked.
  std::optional<IntactPackage> recall(const std::filesystem::path& root) const;
  // Files that changed a moment before `now` are not kept: they could change again without a trace.
  void keep(const std::filesystem::path& root, const IntactPackage& intact,
            int64_t now = nanoseconds_now()) const;
  // Writes what was kept; the end of the last copy's life does so, too. Packages that are gone are
  // forgotten.
  void flush() const;

 private:
  class Shelves;
  std::shared_ptr<Shelves> shelves_;  // none: nothing is remembered
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_CHECK_MEMORY_H_
