// Spread: what an instruction makes of unset bytes. What it makes of bytes that nothing has written
// is unset as well; the shadow carries that along, lane by lane, as a memory sanitizer does, and a
// report is due only where such a value decides something: a byte of GM that outlives the launch, a
// scalar, an address, bits that choose what is kept. What dies in padding is nobody's business.
#ifndef OPKIT_CORE_MODES_CHECKED_UNSET_H_
#define OPKIT_CORE_MODES_CHECKED_UNSET_H_

#include <cstdint>
#include <vector>

#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset_bytes.h"

namespace opkit::core::checked {

// One instruction on its way from what it read to what it makes of it.
struct Spread {
  State& state;
  CoreState& core;
  const Footprint& f;
  const Party& who;
  const UnsetBytes& read;
  std::vector<UnsetRun>& made;  // what it writes without a value, in any order

  void make(const uint8_t* begin, uint64_t bytes, const UnsetRun& from, uint8_t bits = kAllBits);
  // Makes bytes such that may or may not be set: written, and never reported.
  void make_perhaps(const uint8_t* begin, uint64_t bytes);
  // Returns what the run is made of, as an index that lives longer than the instruction.
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
// Lets everything read make everything written: unset when all of it is.
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
