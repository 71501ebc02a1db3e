#include "opkit/core/l0_mirror.h"

#include "opkit/core/isa/cube/turn.h"

namespace opkit::core {

void L0Mirror::attach(uint8_t* memory, uint32_t bytes) {
  memory_ = memory;
  slots_.assign(memory ? bytes / kFractal : 0, {});
}

void L0Mirror::clear() {
  if (used_ != 0) slots_.assign(slots_.size(), {});
  used_ = ahead_ = 0;
}

void L0Mirror::drop(uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.form != Form::kNone) --used_;
  if (s.ahead) --ahead_;
  s = {};
}

void L0Mirror::make_bytes(uint32_t slot) {
  uint8_t* bytes = memory_ + size_t{slot} * kFractal;
  const float* rows = rows_of(slot);
  if (slots_[slot].form == Form::kWordsTurned) {
    turn_words_back(rows, bytes);
  } else if (slots_[slot].form == Form::kHalves) {
    narrow_split_halves(rows, bytes);
  } else {
    alignas(64) uint16_t turned[kFractalHalves];
    narrow_halves(rows, turned);
    turn_halves(turned, bytes);
  }
  slots_[slot].ahead = false;
  --ahead_;
}

void L0Mirror::settle() {
  if (used_ == 0) return;
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].ahead) make_bytes(i);
    drop(i);
  }
}

float* L0Mirror::put(const uint8_t* address, Form form) {
  const uint32_t i = index_of(address);
  Slot& s = slots_[i];
  if (s.form == Form::kNone) ++used_;
  if (!s.ahead) ++ahead_;
  s = {form, true};
  return rows_of(i);
}

void L0Mirror::written(const uint8_t* address, uint64_t bytes) {
  if (used_ == 0 || bytes == 0) return;
  const uint64_t begin = static_cast<uint64_t>(address - memory_), end = begin + bytes;
  for (uint64_t i = begin / kFractal; i * kFractal < end; ++i) {
    const bool whole = i * kFractal >= begin && (i + 1) * kFractal <= end;
    const auto slot = static_cast<uint32_t>(i);
    if (slots_[slot].ahead && !whole) make_bytes(slot);
    drop(slot);
  }
}

void L0Mirror::read(const uint8_t* address, uint64_t bytes) {
  if (ahead_ == 0 || bytes == 0) return;
  const uint64_t begin = static_cast<uint64_t>(address - memory_), end = begin + bytes;
  for (uint64_t i = begin / kFractal; i * kFractal < end; ++i) {
    if (slots_[i].ahead) make_bytes(static_cast<uint32_t>(i));
  }
}

const float* L0Mirror::find(const uint8_t* address, uint32_t count, Form form) const {
  if (used_ < count) return nullptr;
  const uint32_t first = index_of(address);
  for (uint32_t i = first; i < first + count; ++i) {
    if (slots_[i].form != form) return nullptr;
  }
  return const_cast<L0Mirror*>(this)->rows_of(first);
}

}  // namespace opkit::core
