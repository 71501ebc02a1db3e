// Lease: a stretch of the memory that host and worker share, for the tensors of one large call. The
// host makes the inputs there and keeps the outputs there, so that none exists twice; the stretch
// is free again with the last tensor that lies in it. Pages of outputs go back to the host then;
// those of inputs, whose file is sealed against every change, wait for the next large call.
#ifndef OPKIT_ISOLATION_LEASE_H_
#define OPKIT_ISOLATION_LEASE_H_

#include <memory>
#include <vector>

#include "opkit/isolation/placement.h"
#include "opkit/isolation/worker_process.h"

namespace opkit::isolation {

// Calls that take less are copied: memory that is kept costs no new pages.
inline constexpr uint64_t kLeased = uint64_t{64} << 20;  // bytes of one arena

class Lease {
 public:
  // Outputs are zero.
  Lease(std::shared_ptr<const SharedWithWorker> shared, Ends from, Ends to);
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Ends to() const { return to_; }
  uint64_t bytes() const { return to_.inputs - from_.inputs + to_.outputs - from_.outputs; }
  std::byte* at(const Slot& slot) const;

 private:
  std::shared_ptr<const SharedWithWorker> shared_;
  Ends from_, to_;
};

// A tensor that lies in a slot and keeps the lease.
Tensor tensor_in(const std::shared_ptr<const Lease>& lease, const Slot& slot, TensorDesc desc);

// The leases of a session that are still kept.
class Leases {
 public:
  // Where the next call may lie: behind all that is leased.
  Ends ends() const;
  uint64_t bytes() const;
  // Of a call that was placed behind `from`; nothing when it is a small one.
  std::shared_ptr<const Lease> take(std::shared_ptr<const SharedWithWorker> shared, Ends from,
                                    const Placement& placement);

 private:
  std::vector<std::weak_ptr<const Lease>> leases_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_LEASE_H_
