// Pending: what a core has issued and not yet done, pipe by pipe, and how it is done.
#ifndef OPKIT_CORE_MODES_REORDER_PENDING_H_
#define OPKIT_CORE_MODES_REORDER_PENDING_H_

#include <array>
#include <cstdint>
#include <deque>
#include <variant>
#include <vector>

#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core::reorder {

enum PendingPipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kSlots };
PendingPipe slot_of(opk_pipe pipe);

// A moment: the first `count` entries of a pipe are done. {kS, 0} has always been.
struct PipeMoment {
  PendingPipe pipe = kS;
  uint64_t count = 0;
};

// Bytes from the first to behind the last one that an access touches.
struct ByteExtent {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  bool write = false;
  bool meets(const ByteExtent& o) const {
    return (write || o.write) && begin < o.end && o.begin < end;
  }
};
ByteExtent extent_of(const Access& access);

// A copied instruction, or a wait for another pipe's moment.
struct Entry {
  std::variant<PipeMoment, opk_vector_v1, opk_copy_v1, opk_load_v1, opk_mmad_v1, opk_fixpipe_v1>
      what;
  opk_core registers = {};  // are what they were when it was issued
  std::vector<ByteExtent> extents;
  bool fence = false;  // later entries of the pipe stay behind
  bool ahead = false;  // it has changed places with the entry that was issued before it
};

// Entries in the order of issue, in place: each is as large as an instruction and the registers of
// a core, too much to be moved about.
class EntryQueue {
 public:
  // The chip's queues in front of the pipes.
  static constexpr size_t kDepth = 32;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kDepth; }
  // The i-th oldest. REQUIRES: i < size().
  Entry& operator[](size_t i) { return places_[(first_ + i) % kDepth]; }
  const Entry& operator[](size_t i) const { return places_[(first_ + i) % kDepth]; }
  // Returns the youngest, without extents and fence; `what` and `registers` are to be set.
  // REQUIRES: !full().
  Entry& add();
  // REQUIRES: !empty().
  void drop_first();

 private:
  std::vector<Entry> places_;  // kDepth of them once there was one
  size_t first_ = 0, size_ = 0;
};

class Pending {
 public:
  explicit Pending(Core& core) : core_(core) {}

  // Returns a place for what is issued now, see EntryQueue::add; the oldest entry is done when the
  // pipe's queue is full. It stays there until something else is called.
  Entry& issue(PendingPipe pipe);
  // Returns the moment of everything issued to the pipe so far, for somebody who will wait for it.
  PipeMoment moment(PendingPipe pipe);
  // The pipe's next entries come after the moment; S waits at once.
  void wait(PendingPipe pipe, const PipeMoment& moment);
  // Keeps later entries of the pipe behind earlier ones.
  void fence(PendingPipe pipe);

  void finish(const PipeMoment& moment);
  void finish(PendingPipe pipe) { finish({pipe, pipes_[pipe].entered}); }
  void finish_all(const std::array<PendingPipe, kSlots>& order);
  // Work of the pipe that the bytes depend on, or that depends on them, and what was issued to the
  // pipe before it; of V what was issued behind it, too. So it is when that work happens to be done
  // already, and S has not waited for it yet.
  void finish_touching(PendingPipe pipe, const ByteExtent& extent);

  // Does the oldest entry of the pipe if it need not wait. False: nothing was done.
  bool step(PendingPipe pipe);
  // Lets the second entry of the pipe come first when nothing orders the two.
  void swap_first(PendingPipe pipe);

  bool running() const { return running_; }

 private:
  // Work that is done, and the moment for which whoever needs it waits.
  struct Done {
    uint64_t count = 0;
    std::vector<ByteExtent> extents;
  };
  struct Pipe {
    EntryQueue entries;
    uint64_t entered = 0, left = 0;
    std::deque<Done> done;    // the last of V and the MTEs, oldest first
    uint64_t known_to_s = 0;  // S has waited for so many entries
  };
  static constexpr size_t kRemembered = 64;

  void remember(PendingPipe pipe, const Entry& entry);
  void s_waits(const PipeMoment& moment);

  bool done(const PipeMoment& m) const { return m.pipe == kS || pipes_[m.pipe].left >= m.count; }
  void do_first(PendingPipe pipe);
  void run(const Entry& entry);

  Core& core_;
  std::array<Pipe, kSlots> pipes_;
  bool running_ = false;
};

}  // namespace opkit::core::reorder

#endif  // OPKIT_CORE_MODES_REORDER_PENDING_H_
