// L1Floats: fractals of halves in L1 as floats, in the form in which the host multiplies A (two
// times 16 rows of 8 elements). Made when Mmad first multiplies them, and kept until that part of
// L1 changes: kernels load the same rows of A for one block of columns after the other.
#ifndef OPKIT_CORE_PUT_OFF_L1_FLOATS_H_
#define OPKIT_CORE_PUT_OFF_L1_FLOATS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opkit/core/fractals/aligned_row.h"
#include "opkit/core/fractals/fractal.h"
#include "opkit/core/put_off/l0_mirror.h"

namespace opkit::core {

class L1Floats {
 public:
  static constexpr uint32_t kSlotFloats = L0Mirror::kSlotFloats;

  // L1, or nothing for a core without it.
  void attach(const uint8_t* memory, uint32_t bytes);
  void clear();
  // Before bytes of L1 are overwritten.
  void written(const uint8_t* l1, uint64_t bytes) {
    if (used_) forget(l1, bytes);
  }
  // Returns the floats of `blocks` times `steps` fractals that lie as `from` says; pitches of the
  // answer are those of `from` in fractals times kSlotFloats. nullptr: they are not whole fractals.
  const float* take(const L0Mirror::Sources& from, uint32_t blocks, uint32_t steps);

 private:
  size_t slot_of(const uint8_t* fractal) const {
    return static_cast<size_t>(fractal - memory_) / kFractal;
  }
  void forget(const uint8_t* l1, uint64_t bytes);
  void expand(const uint8_t* fractal, size_t slot);

  const uint8_t* memory_ = nullptr;
  std::vector<const uint8_t*> fractals_;  // holds for every slot the fractal in it, or nullptr
  AlignedRow<float> rows_;
  float* rows_begin_ = nullptr;
  bool used_ = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_L1_FLOATS_H_
