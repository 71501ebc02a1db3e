#include "opkit/core/put_off/l1_floats.h"

#include <algorithm>

#include "opkit/core/fractals/fractal_batch.h"

namespace opkit::core {

// Makes slots for the fractals of the memory, and one more: a fractal may begin in the last slot
// and end behind it.
void L1Floats::attach(const uint8_t* memory, uint32_t bytes) {
  memory_ = memory;
  fractals_.assign(memory ? bytes / kFractal + 1 : 0, nullptr);
}

void L1Floats::clear() {
  if (used_) std::fill(fractals_.begin(), fractals_.end(), nullptr);
  used_ = false;
}

// The fractal of the slot before may reach into the first byte's slot.
void L1Floats::forget(const uint8_t* l1, uint64_t bytes) {
  if (bytes == 0) return;
  const size_t first = slot_of(l1), last = slot_of(l1 + bytes - 1);
  for (size_t i = first == 0 ? 0 : first - 1; i <= last && i < fractals_.size(); ++i) {
    const uint8_t* fractal = fractals_[i];
    if (fractal && fractal < l1 + bytes && l1 < fractal + kFractal) fractals_[i] = nullptr;
  }
}

void L1Floats::expand(const uint8_t* fractal, size_t slot) {
  FractalBatch batch;
  batch.turning = Turning::kHalvesSplit;
  batch.looks_for_nan = false;
  batch.count = 1;
  batch.rows = fractal;
  batch.out = rows_begin_ + slot * kSlotFloats;
  turn_fractals(batch);
  fractals_[slot] = fractal;
}

const float* L1Floats::take(const L0Mirror::Sources& from, uint32_t blocks, uint32_t steps) {
  if (from.step % kFractal != 0 || from.block % kFractal != 0) return nullptr;
  if (!rows_begin_) rows_begin_ = rows_.take(fractals_.size() * kSlotFloats);
  used_ = true;
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint8_t* fractal = from.first + b * from.block;
    for (uint32_t s = 0; s < steps; ++s, fractal += from.step) {
      const size_t slot = slot_of(fractal);
      if (fractals_[slot] != fractal) expand(fractal, slot);
    }
  }
  return rows_begin_ + slot_of(from.first) * kSlotFloats;
}

}  // namespace opkit::core
