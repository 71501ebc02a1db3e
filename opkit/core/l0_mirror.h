// L0Mirror: fractals of L0A or L0B in the form in which the host multiplies them, made while they
// are loaded. In Fast mode the bytes of the fractal itself are not written then: the mirror has
// everything, and bytes are made from it as soon as somebody could see them: a scalar access, a raw
// pointer, an instruction that reads them in another form.
//
// A chip's L0 is out of reach for scalar code, so kernels practically never ask.
#ifndef OPKIT_CORE_L0_MIRROR_H_
#define OPKIT_CORE_L0_MIRROR_H_

#include <cstdint>
#include <vector>

#include "opkit/core/aligned_row.h"

namespace opkit::core {

class L0Mirror {
 public:
  enum class Form : uint8_t {
    kNone,
    kHalves,        // a fractal of A as floats: the first eight of each of 16 rows, then the rest
    kHalvesTurned,  // 16 rows of 16 columns of a fractal of B as floats
    kWordsTurned    // 8 rows of 16 words
  };
  // From fractal to fractal: a line more than the 256 that a fractal takes, so that fractals of one
  // panel do not meet in the same sets of the host's cache.
  static constexpr uint32_t kSlotFloats = 272;

  // The memory that is mirrored, in whole fractals of 512 bytes; empty: a core without it.
  void attach(uint8_t* memory, uint32_t bytes);

  // Forgets everything: the block has ended, or has not begun.
  void clear();
  // Every fractal's bytes become what they mean; no mirror is left. Before anybody may read or
  // write the memory in a way that is not told.
  void settle();
  // Whether there is a fractal whose bytes were not written.
  bool is_ahead() const { return ahead_ != 0; }

  // The place for the mirror of the fractal at `address`, whose bytes need not be written.
  float* put(const uint8_t* address, Form form);
  // Before the bytes are overwritten by an instruction.
  void written(const uint8_t* address, uint64_t bytes);
  // Before the bytes are read.
  void read(const uint8_t* address, uint64_t bytes);
  // The mirror from the fractal at `address` on, when all `count` fractals have that form;
  // otherwise nullptr.
  const float* find(const uint8_t* address, uint32_t count, Form form) const;

 private:
  struct Slot {
    Form form = Form::kNone;
    bool ahead = false;  // the bytes were not written
  };
  uint32_t index_of(const uint8_t* address) const {
    return static_cast<uint32_t>(address - memory_) / kFractal;
  }
  float* rows_of(uint32_t slot) { return rows_.take(size()) + size_t{slot} * kSlotFloats; }
  size_t size() const { return slots_.size() * kSlotFloats; }
  void make_bytes(uint32_t slot);
  void drop(uint32_t slot);

  static constexpr uint32_t kFractal = 512;
  uint8_t* memory_ = nullptr;
  std::vector<Slot> slots_;
  AlignedRow<float> rows_;
  uint32_t used_ = 0, ahead_ = 0;  // slots with a mirror, slots whose bytes were not written
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_L0_MIRROR_H_
