// Session's part that deals out the memory of calls.
#include <algorithm>
#include <utility>

#include "opkit/isolation/session.h"

namespace opkit::isolation {

Result<Session::Place> Session::placed(const CallPlan& plan) {
  const uint64_t limit = options_.limits.memory;
  const uint64_t memory = limit - std::min(limit, leases_.bytes());
  const std::string& said = options_.limits.memory_said;
  Place place;
  OPKIT_TRY(place.at, isolation::place(plan, memory, {}, said));
  const Ends from = leases_.gap(ends_of(place.at));
  if (from != Ends{}) {
    OPKIT_TRY(place.at, isolation::place(plan, memory, from, said));
  }
  if (shared_->holds(ends_of(place.at))) place.lease = leases_.take(shared_, from, place.at);
  return place;
}

Result<Session::Place> Session::place(const CallPlan& plan) {
  OPKIT_TRY(Place place, placed(plan));
  if (!shared_->holds(ends_of(place.at))) {
    OPKIT_CHECK(grow(ends_of(place.at)));
    OPKIT_TRY(place, placed(plan));
  }
  const Ends ends = ends_of(place.at);
  lent_ = {std::max(lent_.inputs, ends.inputs), std::max(lent_.outputs, ends.outputs)};
  if (worker_.alive()) worker_.lend(lent_, leases_.bytes());
  return place;
}

// Tensors that are lent keep what they lie in.
Status Session::grow(Ends needed) {
  worker_ = {};
  spare_ = {};
  shared_.reset();
  lent_ = {};
  leases_.leave_arenas();
  Result<SharedWithWorker> shared = SharedWithWorker::make(SharedWithWorker::roomy(needed));
  if (!shared.ok()) shared = SharedWithWorker::make(needed);
  const Status grown = shared.ok() ? Status() : Status(shared.error());
  if (!shared.ok()) shared = SharedWithWorker::make();
  if (!shared.ok()) return shared.error();
  shared_ = std::make_shared<const SharedWithWorker>(std::move(shared).value());
  return grown;
}

}  // namespace opkit::isolation
