// Unset bytes: values that nobody made. What an instruction makes of bytes that nothing has written
// is unset as well; the shadow carries that along, lane by lane, as a memory sanitizer does, and a
// report is due only where such a value decides something: a byte of GM that outlives the launch, a
// scalar, an address, bits that choose what is kept. What dies in padding is nobody's business.
#ifndef OPKIT_CORE_MODES_CHECKED_UNSET_H_
#define OPKIT_CORE_MODES_CHECKED_UNSET_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opkit/core/modes/checked/shadow.h"

namespace opkit::core::checked {

struct CoreState;
struct State;

constexpr uint8_t kAllBits = 0xFF;

// Neighbouring bytes that are unset for the same reason.
struct UnsetRun {
  const uint8_t* begin = nullptr;
  uint64_t bytes = 0;
  uint32_t origin = 0;             // 0: never written; this instruction is the first to read them
  uint8_t bits = kAllBits;         // of every byte
  const Access* access = nullptr;  // of the instruction that reads them

  const uint8_t* end() const { return begin + bytes; }
};

// The unset bytes among those that an instruction reads.
class UnsetBytes {
 public:
  bool empty() const { return runs_.empty(); }
  void clear() { runs_.clear(); }
  void add(const UnsetRun& run) { runs_.push_back(run); }
  template <typename Which>
  void remove(Which&& which) {
    runs_.erase(std::remove_if(runs_.begin(), runs_.end(), which), runs_.end());
  }
  const std::vector<UnsetRun>& runs() const { return runs_; }
  // Before it is asked.
  void sort();

  // The first run that shares bytes with [begin, begin + bytes); nullptr: every byte has a value.
  const UnsetRun* find(const uint8_t* begin, uint64_t bytes) const;
  // Whether every byte is unset.
  bool covers(const uint8_t* begin, uint64_t bytes) const;
  // Calls f(run, begin, bytes) for the parts of runs within the bytes given.
  template <typename F>
  void for_each(const uint8_t* begin, uint64_t bytes, F&& f) const {
    const uint8_t* end = begin + bytes;
    for (const UnsetRun* run = find(begin, bytes); run && run != runs_.data() + runs_.size();
         ++run) {
      if (run->begin >= end) return;
      const uint8_t* from = std::max(begin, run->begin);
      f(*run, from, static_cast<uint64_t>(std::min(end, run->end()) - from));
    }
  }

 private:
  std::vector<UnsetRun> runs_;
};

// One instruction on its way from what it read to what it makes of it.
struct Spread {
  State& state;
  CoreState& core;
  const Footprint& f;
  const Party& who;
  const UnsetBytes& read;
  std::vector<UnsetRun>& made;  // what it writes without a value, in any order

  void make(const uint8_t* begin, uint64_t bytes, const UnsetRun& from, uint8_t bits = kAllBits);
  // It may or may not depend: written, and never reported.
  void make_perhaps(const uint8_t* begin, uint64_t bytes);
  // What the run is made of, as an index that lives longer than the instruction.
  uint32_t origin_of(const UnsetRun& run);
  // The value of these bytes decides something: "takes them as offsets".
  void decides(const UnsetRun& run, const char* how);
};

// What instructions make of unset bytes. REQUIRES: some of those that they read are.
void spread_unset(Spread& s);
void spread_vector(Spread& s);
void spread_chosen(Spread& s);  // vector instructions whose data say which lanes they take
void spread_transpose16(Spread& s);
void spread_transpose(Spread& s);
void spread_copy(Spread& s);
void spread_load(Spread& s);
void spread_mmad(Spread& s);
void spread_fixpipe(Spread& s);
void spread_matmul(Spread& s);
// Everything read makes everything written: unset when all of it is.
void spread_whole(Spread& s);

// Filler of DataCopyPad has a value that the author did not mean: it is followed like an unset one,
// through element-wise instructions alone, to a DataCopyPad that stores it.
void note_filler(State& state, CoreState& core, const Footprint& f, const Party& who);
// Reports filler that is stored byte by byte, and forgets what need not be followed.
void judge_filler(State& state, CoreState& core, const Footprint& f, const Party& who);

// A scalar that was read: a value that nobody made goes wherever the kernel takes it.
void judge_scalar(Spread& s, const Access& access);
// At the end of the launch: bytes of GM that outlive it and have no value.
void judge_left_unset(State& state);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_UNSET_H_
