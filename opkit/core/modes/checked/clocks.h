// Happens-before inside one core and between cores.
//
// Every pipe counts epochs; a release (SetFlag, EnQue, FreeTensor, CrossCoreSetFlag, a barrier)
// ends one. A pipe's clock says which epochs of which pipes are known to be complete before its
// next instruction starts. An earlier access is ordered when its epoch is known. A pipe does not
// know its own epochs by itself: instructions of one pipe start in order but overlap
// (PipeBarrier(ISASI): later instructions of the pipe wait for earlier ones).
#ifndef OPKIT_CORE_MODES_CHECKED_CLOCKS_H_
#define OPKIT_CORE_MODES_CHECKED_CLOCKS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "opkit/abi/types.h"

namespace opkit::core::checked {

// Dense numbers of the pipes.
enum ClockedPipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kSlots };
constexpr uint32_t kSlotPitch = 8;  // slots per core in a remote clock

inline ClockedPipe slot_of(opk_pipe pipe) {
  if (pipe == OPK_PIPE_FIX) return kFix;
  return pipe > OPK_PIPE_MTE3 ? kS : static_cast<ClockedPipe>(pipe);
}
const char* slot_name(uint8_t slot);

// Epochs of all pipes of all cores, index core * kSlotPitch + slot. Shared, never changed.
using Remote = std::shared_ptr<const std::vector<uint32_t>>;

struct Clock {
  std::array<uint32_t, kSlotPitch> known{};  // epochs of the own core's pipes
  std::array<uint64_t, kSlotPitch> via{};  // set of synchronisation sites that this knowledge needs
  Remote remote;                           // epochs of other cores
};

// max of both; either may be null.
Remote join(const Remote& a, const Remote& b);

class CoreClocks {
 public:
  void reset();

  uint32_t epoch(uint8_t slot) const { return now_[slot]; }
  const Clock& clock(uint8_t slot) const { return clocks_[slot]; }

  // An instruction is issued to the pipe: whatever S has waited for is complete before it.
  void issue(uint8_t slot) {
    if (seen_s_[slot] != s_version_) inherit(slot);
  }
  // Returns the clock of everything issued to the pipe up to now, for somebody who waits for it.
  Clock release(uint8_t slot);
  // Releases all pipes together.
  Clock release_all();
  // The pipe's next instruction starts after what `other` knows. `sites`: the synchronisation sites
  // that made this happen.
  void acquire(uint8_t slot, const Clock& other, uint64_t sites);
  void acquire_all(const Clock& other, uint64_t sites);
  void barrier(uint8_t slot, uint64_t sites);
  void barrier_all(uint64_t sites);

  // A library call begins: every pipe starts a new epoch.
  void begin_call();
  bool since_call(uint8_t slot, uint32_t epoch) const { return epoch >= call_[slot]; }

  // The pipe's next instruction can be told from those before it.
  void end_instruction(uint8_t slot) { next_epoch(slot); }
  // Order that the compiler inserts: `slot` waits for an access of `from` in `epoch`, and for
  // nothing that `from` starts later.
  void order(uint8_t slot, uint8_t from, uint32_t epoch);

  bool knows(uint8_t slot, uint8_t from, uint32_t epoch) const {
    return clocks_[slot].known[from] >= epoch;
  }
  // Returns the synchronisation sites that first brought the knowledge of an epoch. REQUIRES:
  // knows().
  uint64_t sites_of(uint8_t slot, uint8_t from, uint32_t epoch) const;
  // Sites without which the epoch would be known all the same, because others brought it again.
  // REQUIRES: knows().
  uint64_t spared(uint8_t slot, uint8_t from, uint32_t epoch) const;
  bool knows_remote(uint8_t slot, uint32_t core, uint8_t from, uint32_t epoch) const;

 private:
  // Knowledge that was replaced by newer one of other sites.
  struct Older {
    uint32_t known = 0;
    uint64_t via = 0;
  };
  static constexpr size_t kOlder = 4;

  static void push(std::array<Older, kOlder>& last, Older one);
  void learn(uint8_t slot, uint8_t from, uint32_t epoch, uint64_t sites);
  void inherit(uint8_t slot);
  void next_epoch(uint8_t slot);

  std::array<uint32_t, kSlotPitch> now_{};
  std::array<uint32_t, kSlotPitch> call_{};  // first epochs of the last library call
  std::array<Clock, kSlots> clocks_;
  // The last few, newest first.
  std::array<std::array<std::array<Older, kOlder>, kSlots>, kSlots> older_{};
  // What came a second time, by other sites; the last few, newest first.
  std::array<std::array<std::array<Older, kOlder>, kSlots>, kSlots> again_{};
  std::array<uint32_t, kSlots> seen_s_{};
  uint32_t s_version_ = 0;
  // What a pipe knew when an epoch ended: index epoch - 1.
  std::array<std::vector<std::array<uint32_t, kSlotPitch>>, kSlots> history_;
};

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_CLOCKS_H_
