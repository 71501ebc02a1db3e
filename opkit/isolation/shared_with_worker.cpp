#include "opkit/isolation/shared_with_worker.h"

#include <algorithm>
#include <bit>
#include <new>

#include "opkit/base/process/host_limits.h"
#include "opkit/isolation/incident.h"

namespace opkit::isolation {
namespace {

constexpr uint64_t kSmallArena = uint64_t{16} << 20;

// Returns one arena's part of the address space that this process may have: others take of it, too.
uint64_t share_of_one() {
  constexpr uint64_t kParts = 16;
  const uint64_t space = address_space_allowed().value_or(kArenaBytes * kParts) / kParts;
  return std::min({space, file_size_allowed().value_or(kArenaBytes), kArenaBytes});
}

}  // namespace

Result<SharedWithWorker> SharedWithWorker::make(Ends arenas) {
  const bool limited = address_space_allowed() || file_size_allowed();
  const uint64_t usual =
      limited ? std::max(std::min(kSmallArena, share_of_one()) / kPage * kPage, kPage)
              : kArenaBytes;
  SharedWithWorker shared;
  using Others = SharedMemory::Others;
  OPKIT_TRY(shared.inputs,
            SharedMemory::make("opkit-inputs", std::max(arenas.inputs, usual), Others::kRead));
  OPKIT_TRY(shared.outputs,
            SharedMemory::make("opkit-outputs", std::max(arenas.outputs, usual), Others::kWrite));
  OPKIT_TRY(shared.incident, SharedMemory::make("opkit-incident", kPage, Others::kWrite));
  shared.forget_incident();
  return shared;
}

Ends SharedWithWorker::roomy(Ends needed) {
  const auto with_room = [most = share_of_one()](uint64_t bytes) {
    return std::max(bytes, std::min(std::bit_ceil(2 * bytes), most / kPage * kPage));
  };
  return {with_room(needed.inputs), with_room(needed.outputs)};
}

void SharedWithWorker::forget_incident() const { new (incident.data()) Incident(); }

}  // namespace opkit::isolation
