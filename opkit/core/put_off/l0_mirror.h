// L0Mirror: fractals of L0A or L0B in the form in which the host multiplies them, made while they
// are loaded, or where in L1 they come from. In Fast mode the bytes of the fractal itself are not
// written then: the mirror has everything, and bytes are made from it as soon as somebody could see
// them: a scalar access, a raw pointer, an instruction that reads them in another form; a fractal
// that lies in L1 is copied before that part of L1 changes. Fractals of B may also stay rows in GM
// until they are multiplied, or until that part of GM changes.
//
// A chip's L0 is out of reach for scalar code, so kernels practically never ask.
#ifndef OPKIT_CORE_PUT_OFF_L0_MIRROR_H_
#define OPKIT_CORE_PUT_OFF_L0_MIRROR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opkit/core/fractals/aligned_row.h"
#include "opkit/core/fractals/fractal.h"

namespace opkit::core {

class L0Mirror {
 public:
  enum class Form : uint8_t {
    kNone,
    kHalves,        // a fractal of A as floats: the first eight of each of 16 rows, then the rest
    kHalvesTurned,  // 16 rows of 16 columns of a fractal of B as floats
    kWordsTurned,   // 8 rows of 16 words
    kInL1,          // its own bytes, in L1
    kRowWords,      // kWordsTurned before it is made: 8 rows of 16 words in GM
    kRowHalves      // kHalvesTurned before it is made: 16 rows of 16 halves in GM
  };
  // From fractal to fractal: a line more than the 256 that a fractal takes, so that fractals of one
  // panel do not meet in the same sets of the host's cache.
  static constexpr uint32_t kSlotFloats = 272;

  // The memory that is mirrored, in whole fractals of 512 bytes; empty: a core without it.
  void attach(uint8_t* memory, uint32_t bytes);

  // Forgets everything: the block has ended, or has not begun.
  void clear();
  // Writes into the memory what every fractal stands for, and gives all mirrors up. The engine
  // calls it before code that does not announce its accesses may read or write the memory.
  void settle();
  // Tells whether there is a fractal whose bytes were not written.
  bool is_ahead() const { return ahead_ != 0; }

  // Returns the place for the mirrors of `count` fractals, `step` fractals apart, the first at
  // `address`; their bytes need not be written.
  float* put(const uint8_t* address, uint32_t count, uint32_t step, Form form);
  // Such fractals are those that lie `pitch` bytes apart in L1, the first at `source`.
  void put_sources(const uint8_t* address, uint32_t count, uint32_t step, const uint8_t* source,
                   ptrdiff_t pitch);
  // Such fractals lie in GM as rows that are row_pitch bytes apart; `packed` is kWordsTurned or
  // kHalvesTurned.
  void put_rows(const uint8_t* address, uint32_t count, uint32_t step, Form packed,
                const uint8_t* source, ptrdiff_t pitch, size_t row_pitch);
  size_t row_pitch() const { return row_pitch_; }
  // Before GM is overwritten.
  void gm_written(const uint8_t* gm, uint64_t bytes) {
    if (in_gm_ != 0) pack_readers_of(gm, bytes);
  }
  // Mirrors take the place of all rows in GM: before others may write there.
  void leave_gm() {
    if (in_gm_ != 0) pack(memory_, static_cast<uint32_t>(slots_.size()));
  }
  // Packs the `count` fractals from the one at `address` on.
  void pack(const uint8_t* address, uint32_t count);
  // The caller has packed the rows of such fractals into mirror(address).
  void packed(const uint8_t* address, uint32_t count);
  float* mirror(const uint8_t* address) const { return rows_of(index_of(address)); }
  // Before bytes of L1 are overwritten.
  void source_written(const uint8_t* l1, uint64_t bytes);
  // Called before an instruction overwrites the bytes.
  void written(const uint8_t* address, uint64_t bytes);
  // Before the bytes are read.
  void read(const uint8_t* address, uint64_t bytes);
  // Returns the mirror from the fractal at `address` on, when all `count` fractals have that form;
  // otherwise nullptr.
  float* find(const uint8_t* address, uint32_t count, Form form) const;
  // Where `blocks` times `steps` fractals from `address` on lie in L1 (or as rows in GM), when all
  // do and the way from step to step and from block to block is always the same.
  struct Sources {
    const uint8_t* first = nullptr;  // nullptr: they do not
    ptrdiff_t step = 0, block = 0;   // bytes
  };
  Sources sources(const uint8_t* address, uint32_t blocks, uint32_t steps,
                  Form form = Form::kInL1) const;

 private:
  struct Slot {
    Form form = Form::kNone;
    bool ahead = false;               // the bytes were not written
    const uint8_t* source = nullptr;  // kInL1, kRow...: of the first row
  };
  void set(uint32_t first, uint32_t count, uint32_t step, Slot now, ptrdiff_t pitch);
  uint32_t index_of(const uint8_t* address) const {
    return static_cast<uint32_t>(address - memory_) / kFractal;
  }
  float* rows_of(uint32_t slot) const { return rows_begin_ + size_t{slot} * kSlotFloats; }
  static bool is_rows(Form form) { return form == Form::kRowWords || form == Form::kRowHalves; }
  static Form form_of_packed(Form rows) {
    return rows == Form::kRowWords ? Form::kWordsTurned : Form::kHalvesTurned;
  }
  void pack_slot(uint32_t slot);
  void pack_readers_of(const uint8_t* gm, uint64_t bytes);
  void make_bytes(uint32_t slot);
  void drop(uint32_t slot);

  uint8_t* memory_ = nullptr;
  std::vector<Slot> slots_;
  AlignedRow<float> rows_;
  float* rows_begin_ = nullptr;
  // All sources lie between these; nullptr: there are none.
  const uint8_t* sources_begin_ = nullptr;
  const uint8_t* sources_end_ = nullptr;
  uint32_t used_ = 0, ahead_ = 0;  // slots with a mirror, slots whose bytes were not written
  uint32_t in_gm_ = 0;             // slots that are rows in GM
  size_t row_pitch_ = 0;           // leads from row to row in GM, bytes
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_L0_MIRROR_H_
