#include "opkit/core/put_off/l0_mirror.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/fractals/fractal_batch.h"

#include "opkit/core/fractals/turn.h"

namespace opkit::core {
namespace {

constexpr size_t kPiece = 32;  // bytes of a row of a fractal

}  // namespace

void L0Mirror::attach(uint8_t* memory, uint32_t bytes) {
  memory_ = memory;
  slots_.assign(memory ? bytes / kFractal : 0, {});
  rows_begin_ = rows_.take(slots_.size() * kSlotFloats);
}

void L0Mirror::clear() {
  if (used_ != 0) slots_.assign(slots_.size(), {});
  used_ = ahead_ = in_gm_ = 0;
  sources_begin_ = sources_end_ = nullptr;
}

void L0Mirror::drop(uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.form != Form::kNone) --used_;
  if (s.ahead) --ahead_;
  if (is_rows(s.form)) --in_gm_;
  s = {};
}

// Halves with NaN cannot be had back from floats: their bytes are written.
void L0Mirror::pack_slot(uint32_t slot) {
  Slot& s = slots_[slot];
  const bool words = s.form == Form::kRowWords;
  FractalBatch batch;
  batch.turning = words ? Turning::kJoin : Turning::kHalves;
  batch.count = 1;
  batch.rows = s.source;
  batch.row_pitch = row_pitch_;
  batch.right = kPiece;
  batch.out = rows_of(slot);
  const bool exact = turn_fractals(batch) == 0;
  if (exact) {
    s.form = form_of_packed(s.form);
    --in_gm_;
    return;
  }
  alignas(64) uint8_t rows[kFractal];
  for (uint32_t r = 0; r < kFractal / kPiece; ++r)
    std::memcpy(rows + r * kPiece, batch.row(0, r), kPiece);
  turn_halves(rows, memory_ + size_t{slot} * kFractal);
  drop(slot);
}

void L0Mirror::pack(const uint8_t* address, uint32_t count) {
  if (in_gm_ == 0) return;
  const uint32_t first = index_of(address);
  for (uint32_t i = first; i < first + count; ++i) {
    if (is_rows(slots_[i].form)) pack_slot(i);
  }
}

void L0Mirror::packed(const uint8_t* address, uint32_t count) {
  Slot* slot = slots_.data() + index_of(address);
  for (uint32_t i = 0; i < count; ++i, ++slot) slot->form = form_of_packed(slot->form);
  in_gm_ -= count;
}

void L0Mirror::pack_readers_of(const uint8_t* gm, uint64_t bytes) {
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    const Slot& s = slots_[i];
    if (!is_rows(s.form)) continue;
    const bool words = s.form == Form::kRowWords;
    const size_t extent = (words ? 7 : 15) * row_pitch_ + (words ? 2 : 1) * kPiece;
    if (s.source < gm + bytes && gm < s.source + extent) pack_slot(i);
  }
}

void L0Mirror::make_bytes(uint32_t slot) {
  if (is_rows(slots_[slot].form)) pack_slot(slot);
  if (!slots_[slot].ahead) return;
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
  uint32_t used = 0, ahead = 0, left_gm = 0;
  Slot* s = slots_.data() + first;
  for (uint32_t i = 0; i < count; ++i, s += step, now.source += pitch) {
    used += s->form == Form::kNone;
    ahead += !s->ahead;
    left_gm += is_rows(s->form);
    *s = now;
  }
  in_gm_ += (is_rows(now.form) ? count : 0) - left_gm;
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

void L0Mirror::put_rows(const uint8_t* address, uint32_t count, uint32_t step, Form packed,
                        const uint8_t* source, ptrdiff_t pitch, size_t row_pitch) {
  if (row_pitch != row_pitch_) leave_gm();
  row_pitch_ = row_pitch;
  const Form form = packed == Form::kWordsTurned ? Form::kRowWords : Form::kRowHalves;
  set(index_of(address), count, step, {form, true, source}, pitch);
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

float* L0Mirror::find(const uint8_t* address, uint32_t count, Form form) const {
  if (used_ < count) return nullptr;
  const uint32_t first = index_of(address);
  for (uint32_t i = first; i < first + count; ++i) {
    if (slots_[i].form != form) return nullptr;
  }
  return rows_of(first);
}

L0Mirror::Sources L0Mirror::sources(const uint8_t* address, uint32_t blocks, uint32_t steps,
                                    Form form) const {
  if (used_ < blocks * steps) return {};
  const Slot* slot = slots_.data() + index_of(address);
  Sources found{slot->source, 0, 0};
  if (steps > 1) found.step = slot[1].source - slot->source;
  if (blocks > 1) found.block = slot[steps].source - slot->source;
  bool differs = false;
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint8_t* expected = found.first + b * found.block;
    for (uint32_t s = 0; s < steps; ++s, ++slot, expected += found.step)
      differs |= slot->form != form || slot->source != expected;
  }
  if (differs) return {};
  return found;
}

}  // namespace opkit::core
