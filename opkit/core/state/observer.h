// Observer: who watches a launch. Fast has none; Timed advances clocks; Checked may refuse.
//
// All calls come from one host thread, in the program order of each core; cores interleave only
// where one of them blocks. The Core is the one that executes.
#ifndef OPKIT_CORE_STATE_OBSERVER_H_
#define OPKIT_CORE_STATE_OBSERVER_H_

#include "opkit/core/state/fault.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

struct Core;
struct LaunchRequest;

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void launch_begins(const LaunchRequest&) {}
  virtual void core_begins(Core&) {}

  // Before an instruction runs. False: it is refused and has no effect; the kernel goes on.
  virtual bool admit(Core&, const Footprint&) { return true; }
  // Tells whether a block of a Matmul object that admit() has refused to compute is offered to be
  // stored all the same.
  virtual bool takes_all_parts() const { return false; }
  // Tells whether the instruction takes effect later than it is issued, so that what its operands
  // hold is not known yet; it comes again when it does. Asked before data decides what it touches.
  virtual bool defers(Core&, const opk_vector_v1&) { return false; }
  // A fault that the engine itself found (bounds, alignment, capacity). True: recorded, go on
  // without the instruction; false: the block ends, as without an observer.
  virtual bool recover(Core&, const Fault&) { return false; }
  // True: what the chip does although the kernel did not mean it (Excess) is a fault.
  virtual bool forbids_excess() const { return false; }

  virtual void flag(Core&, opk_sync_op, opk_pipe /*src*/, opk_pipe /*dst*/, int32_t /*id*/,
                    const void* /*pc*/) {}
  virtual void barrier(Core&, opk_pipe, const void* /*pc*/) {}
  // WAIT is told after the wait succeeded; `releaser` is the core whose SET completed it.
  virtual void cross_flag(Core&, opk_sync_op, uint32_t /*mode*/, opk_pipe, uint32_t /*id*/,
                          const void* /*pc*/) {}
  // Told on arrival (SET) and when the core goes on (WAIT). bits: opk_sync_all_bits.
  virtual void sync_all(Core&, opk_sync_op, uint32_t /*bits*/, const void* /*pc*/) {}
  virtual void gm_word(Core&, opk_sync_op, const int32_t* /*word*/, const void* /*pc*/) {}
  virtual void buffer(Core&, const opk_buffer_v1&, const void* /*pc*/) {}
  // A call of the library begins; `core.library` is not 0 until it returns.
  virtual void library_call(Core&) {}
  // The scalar cache of the core gives up the line that holds the address; nullptr: every line.
  virtual void cache_cleaned(Core&, const uint8_t* /*line*/) {}
  // The kernel is about to look at a local memory or at registers by itself, or waits for that.
  virtual void sees_memory(Core&) {}
  // The kernel looks at GM itself, perhaps until another core has written.
  virtual void polls(Core&) {}
  virtual void prints(Core&) {}
  // The kernel's function has returned; still inside the core's fiber, so that what was put off can
  // be done now.
  virtual void kernel_returned(Core&) {}
  // False: it never looks at the bytes of memories, so that the engine may put instructions off as
  // in Fast mode.
  virtual bool sees_data() const { return true; }
  // Returns the emulated time in cycles that GetSystemCycle() answers; -1 = not modelled.
  virtual int64_t cycle(Core&) { return -1; }

  virtual void core_ends(Core&) {}
  virtual void launch_ends() {}
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_OBSERVER_H_
