// Placement: where the buffers of a call lie in the two pieces of memory that host and worker
// share. Each buffer ends on a page, as nearly as its alignment allows, between pages that the
// worker cannot touch; what lies beside it on its own pages is marked and looked at afterwards.
#ifndef OPKIT_ISOLATION_PLACEMENT_H_
#define OPKIT_ISOLATION_PLACEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/call/plan/call_plan.h"

namespace opkit::isolation {

// Address space of each worker's arenas where that is not limited; the thread sanitizer leaves too
// little for many large ones.
#if defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kArenaBytes = uint64_t{1} << 35;
#else
inline constexpr uint64_t kArenaBytes = uint64_t{1} << 38;
#endif
inline constexpr uint64_t kNowhere = ~uint64_t{0};
inline constexpr uint64_t kPage = 4096;

// A buffer, and the whole pages that it has for itself. Offsets count from the arena's start.
struct Slot {
  uint64_t pages_at = 0, pages_bytes = 0;
  uint64_t at = kNowhere;  // kNowhere: the buffer has no memory of its own
  uint64_t bytes = 0;      // the buffer's own size
  uint64_t room = 0;       // the size with what may be read behind it
  bool writable = false;   // says in which arena it lies

  bool operator==(const Slot&) const = default;
};

struct Placement {
  // Holds slots by port and tensor; writable when the kernel writes it.
  std::vector<std::vector<Slot>> inputs;
  std::vector<std::vector<Slot>> outputs;  // writable
  Slot tiling;
  std::vector<bool> defined;  // CallAddresses'

  bool operator==(const Placement&) const = default;
};

// Where something ends in each of the two.
struct Ends {
  uint64_t inputs = 0, outputs = 0;

  bool operator==(const Ends&) const = default;
};

// Behind `from`: what of the arenas other calls keep, in whole pages.
// Error: OPK-WORKER-009, the buffers take more than `memory` bytes; -012, the tensors do, and
// `said` tells of the machine that it allows no more.
Result<Placement> place(const CallPlan& plan, uint64_t memory, Ends from = {},
                        const std::string& said = {});
Ends ends_of(const Placement& placement);
// Sums the bytes of all slots.
uint64_t bytes_of(const Placement& placement);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_PLACEMENT_H_
