// PinnedUses: which pinned host memory copies of streams use, for programs that want to be judged
// strictly: it may be freed when somebody has waited for the copy. Whether the copy happened to run
// before is chance.
#ifndef OPKIT_ACL_DEVICE_PINNED_USES_H_
#define OPKIT_ACL_DEVICE_PINNED_USES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/task.h"

namespace opkit::acl {

// Used with the runtime's lock held.
class PinnedUses {
 public:
  // piece: as aclrtMallocHost gave it. looks: Scheduler::looks() at the time of the call.
  void add(const void* piece, size_t bytes, std::shared_ptr<const Moment> done, uint64_t looks) {
    uses_[piece] = {bytes, std::move(done), looks};
  }
  // 107000: the piece is used by a copy that is not done, or that nobody has waited for since.
  aclError check_free(const void* piece, uint64_t looks) const {
    const auto found = uses_.find(piece);
    if (found == uses_.end()) return ACL_SUCCESS;
    const Use& use = found->second;
    if (use.done->passed() && use.looks != looks) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "aclrtFreeHost(%p): an asynchronous copy of %zu bytes uses it, and nobody has "
                "waited for that copy; call aclrtSynchronizeStream before aclrtFreeHost",
                piece, use.bytes);
  }
  void forget(const void* piece) { uses_.erase(piece); }

 private:
  struct Use {
    size_t bytes = 0;
    std::shared_ptr<const Moment> done;
    uint64_t looks = 0;
  };
  std::map<const void*, Use> uses_;  // the latest of each piece
};

// Returns the program's, made on first use and never destroyed. REQUIRES: the lock is held.
PinnedUses& pinned_uses();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_PINNED_USES_H_
