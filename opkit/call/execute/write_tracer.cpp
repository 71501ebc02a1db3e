#include "opkit/call/execute/write_tracer.h"

#include "opkit/core/state/core.h"

namespace opkit {
namespace {

constexpr size_t kMostEvents = 4;

}  // namespace

bool WriteTracer::hits(const core::Access& access) const {
  if (!access.write || access.memory != OPK_MEM_GM) return false;
  for (uint32_t repeat = 0; repeat < access.repeats; ++repeat) {
    for (uint32_t block = 0; block < access.blocks; ++block) {
      const uint8_t* run =
          access.address + repeat * access.repeat_pitch + block * access.block_pitch;
      if (run < from_ + bytes_ && from_ < run + access.block_bytes) return true;
    }
  }
  return false;
}

bool WriteTracer::admit(core::Core& core, const core::Footprint& footprint) {
  const uint64_t occurrence = ++times_[{core.block, core.lane, footprint.pc, footprint.name}];
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    if (!hits(footprint.access[i])) continue;
    if (events_.size() == kMostEvents) events_.erase(events_.begin());
    events_.push_back({core.block, core.lane, footprint.name, footprint.pc, occurrence});
    break;
  }
  return true;
}

}  // namespace opkit
