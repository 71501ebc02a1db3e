// Lease: a stretch of the memory that host and worker share, for the tensors of one call. The host
// makes the inputs there and keeps the outputs there, so that none exists twice; the stretch is
// free again with the last tensor that lies in it. Pages of outputs go back to the host then, but
// for the first ones of the arena, which the next call takes as they are; those of inputs, whose
// file is sealed against every change, all wait for the next call.
#ifndef OPKIT_ISOLATION_LEASE_H_
#define OPKIT_ISOLATION_LEASE_H_

#include <memory>
#include <vector>

#include "opkit/isolation/placement.h"
#include "opkit/isolation/shared_with_worker.h"

namespace opkit::isolation {

// Bytes of one arena. Calls that take less are copied: that costs no more than a lease.
inline constexpr uint64_t kLeased = uint64_t{64} << 10;
// Bytes of the outputs' arena whose pages stay.
inline constexpr uint64_t kWarm = uint64_t{64} << 20;

class Lease {
 public:
  Lease(std::shared_ptr<const SharedWithWorker> shared, Ends from, Ends to);
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Ends from() const { return from_; }
  Ends to() const { return to_; }
  uint64_t bytes() const { return to_.inputs - from_.inputs + to_.outputs - from_.outputs; }
  std::byte* at(const Slot& slot) const;

 private:
  std::shared_ptr<const SharedWithWorker> shared_;
  Ends from_, to_;
};

// Returns a tensor that lies in a slot and keeps the lease.
Tensor tensor_in(const std::shared_ptr<const Lease>& lease, const Slot& slot, TensorDesc desc);

// The leases of a session that are still kept.
class Leases {
 public:
  // Where a call may lie that takes so much of each arena: in the first gap that holds it.
  Ends gap(Ends needed) const;
  // The arenas are others from now on; what is leased of the old ones counts, and is in nobody's
  // way.
  void leave_arenas();
  uint64_t bytes() const;
  // Leases the memory of a call that was placed from `from` on; nothing when it is a small one.
  std::shared_ptr<const Lease> take(std::shared_ptr<const SharedWithWorker> shared, Ends from,
                                    const Placement& placement);

 private:
  std::vector<std::weak_ptr<const Lease>> leases_, elsewhere_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_LEASE_H_
