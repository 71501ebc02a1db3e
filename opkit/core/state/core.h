// Core: one emulated AI core (a cube core, a vector core, or both in one) while it runs a block.
#ifndef OPKIT_CORE_STATE_CORE_H_
#define OPKIT_CORE_STATE_CORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "opkit/abi/arch.h"
#include "opkit/abi/plugin.h"
#include "opkit/core/put_off/put_off.h"
#include "opkit/core/state/atomic_log.h"
#include "opkit/core/state/core_id.h"
#include "opkit/core/state/cube_scratch.h"
#include "opkit/core/state/fault.h"
#include "opkit/core/state/fiber.h"
#include "opkit/core/state/observer.h"
#include "opkit/core/state/pending_additions.h"
#include "opkit/core/state/wait.h"

namespace opkit::core {

class Launch;
class Worker;

// The memories and the fiber live as long as the Core and are used again for the next block. The
// base opk_core is what kernel code sees.
struct Core : opk_core {
  // instructions: the table that kernel code calls.
  Core(const opk_soc_v1& soc, opk_core_kind kind, const opk_isa_v1& instructions);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // Prepares registers and memories for a block of `launch`. `lane`: -1 = cube core or the only
  // core of the block, 0 or 1 = vector core of a mixed block.
  void begin(Launch& launch, uint32_t block, int lane);

  // Reports and ends the block, unless an observer asks to go on.
  void refuse(Fault fault);
  // Ends the block without a report: an observer has seen enough of it. Does not return.
  void leave();
  // Suspends until the scheduler finds the wait satisfied.
  void wait_for(const Wait& wait);

  // Tells whether atomic additions that have not happened may come before what this core does next.
  bool sees_additions() const { return !atomics.empty() || additions->any(); }
  // Before this core reads bytes of GM or overwrites them: additions that come before happen.
  void meets_additions(const void* gm, uint64_t bytes) {
    if (sees_additions()) [[unlikely]]
      settle_additions(static_cast<const uint8_t*>(gm), bytes);
  }
  // Who is ordered behind this core from now on sees its additions.
  void release_additions() {
    if (!atomics.empty()) additions->release(seat(), atomics);
  }
  CoreId id() const { return {block, lane, kind == OPK_CORE_AIC}; }
  uint32_t seat() const { return id().seat(); }

  static Core& of(opk_core* core) { return *static_cast<Core*>(core); }

  // Returns the bytes that the chip has of a memory; memory_size is what a kernel may use of it.
  uint32_t whole_size(uint32_t m) const { return m == OPK_MEM_UB ? whole_ub_ : memory_size[m]; }
  // Returns the bytes that TPipe may give out.
  uint32_t pipe_size(uint32_t m) const {
    return memory_size[m] - (m == OPK_MEM_L1 && memory[m] ? reserved_l1_ : 0);
  }

  // Where an instruction stands that returns to `returns_to`: of a library call, the call itself,
  // so that a report names the author's line.
  const void* place(const void* returns_to) const {
    return library && call_pc ? call_pc : returns_to;
  }

  const opk_arch_v1* arch = nullptr;  // describes the chip; nullptr only before a refusal
  Launch* launch = nullptr;
  Worker* worker = nullptr;  // that runs it
  Observer* observer = nullptr;
  bool puts_off = true;  // nobody sees data between instructions: put_off may be used
  uint32_t block = 0;
  int lane = -1;
  bool aborted = false;
  const char* call_name = nullptr;  // names the library call that runs, or ran last
  const void* call_pc = nullptr;
  Wait wait;
  uint64_t sync_rounds[kMeetings] = {};    // SyncAll calls, by Meeting
  uint32_t flags_taken[16] = {};           // waits for cross-core flags that ended, by id
  uint32_t allocated[OPK_MEM_COUNT] = {};  // bytes given out by TPipe::InitBuffer
  // Comes from an InitBuffer and waits until a byte behind the end is touched.
  std::optional<Fault> overflow;
  AtomicLog atomics;                      // not released
  PendingAdditions* additions = nullptr;  // belongs to the launch
  PutOff put_off{*this};
  CubeScratch cube;
  std::string printed;
  void* observer_state = nullptr;  // belongs to the observer
  Fiber fiber;
  opk_kernel_fn entry = nullptr;

 private:
  void settle_additions(const uint8_t* gm, uint64_t bytes);
  void map_memories(const opk_soc_v1& soc);

  uint8_t* arena_ = nullptr;
  size_t arena_bytes_ = 0;
  uint32_t whole_ub_ = 0, reserved_ub_ = 0, reserved_l1_ = 0;  // bytes
  uint8_t* l1_ = nullptr;
  uint32_t l1_size_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_CORE_H_
