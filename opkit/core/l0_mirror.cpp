#include "opkit/core/l0_mirror.h"

#include <algorithm>

#include "opkit/core/isa/cube/turn.h"

namespace opkit::core {

void L0Mirror::attach(uint8_t* memory, uint32_t bytes) {
  memory_ = memory;
  slots_.assign(memory ? bytes / kFractal : 0, {});
  rows_begin_ = rows_.take(slots_.size() * kSlotFloats);
}

void L0Mirror::clear() {
  if (used_ != 0) slots_.assign(slots_.size(), {});
  used_ = ahead_ = 0;
  sources_begin_ = sources_end_ = nullptr;
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
  } else if (slots_[slot].form == Form::kInL1) {
    copy_fractal(slots_[slot].source, bytes);
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

void L0Mirror::set(uint32_t first, uint32_t count, uint32_t step, Slot now, ptrdiff_t pitch) {
  uint32_t used = 0, ahead = 0;
  for (Slot* s = slots_.data() + first; count != 0; --count, s += step, now.source += pitch) {
    used += s->form == Form::kNone;
    ahead += !s->ahead;
    *s = now;
  }
  used_ += used;
  ahead_ += ahead;
}

float* L0Mirror::put(const uint8_t* address, uint32_t count, uint32_t step, Form form) {
  const uint32_t first = index_of(address);
  set(first, count, step, {form, true, nullptr}, 0);
  return rows_of(first);
}

void L0Mirror::put_sources(const uint8_t* address, uint32_t count, uint32_t step,
                           const uint8_t* source, ptrdiff_t pitch) {
  set(index_of(address), count, step, {Form::kInL1, true, source}, pitch);
  const uint8_t* last = source + (count - 1) * pitch;
  const uint8_t *low = std::min(source, last), *high = std::max(source, last) + kFractal;
  sources_begin_ = sources_begin_ ? std::min(sources_begin_, low) : low;
  sources_end_ = std::max(sources_end_, high);
}

void L0Mirror::source_written(const uint8_t* l1, uint64_t bytes) {
  if (l1 >= sources_end_ || l1 + bytes <= sources_begin_) return;
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    const Slot& s = slots_[i];
    if (s.form != Form::kInL1 || s.source >= l1 + bytes || s.source + kFractal <= l1) continue;
    if (s.ahead) make_bytes(i);
    drop(i);
  }
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
  return rows_of(first);
}

L0Mirror::Sources L0Mirror::sources(const uint8_t* address, uint32_t blocks, uint32_t steps) const {
  if (used_ < blocks * steps) return {};
  const uint32_t begin = index_of(address);
  for (uint32_t i = begin; i < begin + blocks * steps; ++i) {
    if (slots_[i].form != Form::kInL1) return {};
  }
  const Slot* slot = slots_.data() + begin;
  Sources found{slot->source, 0, 0};
  if (steps > 1) found.step = slot[1].source - slot->source;
  if (blocks > 1) found.block = slot[steps].source - slot->source;
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint8_t* expected = found.first + b * found.block;
    for (uint32_t s = 0; s < steps; ++s, ++slot, expected += found.step) {
      if (slot->source != expected) return {};
    }
  }
  return found;
}

}  // namespace opkit::core
