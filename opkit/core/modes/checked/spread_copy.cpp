// Where copies and loads take unset bytes.
#include <algorithm>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/copy_form.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {
namespace {

void move(Spread& s, const uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  s.read.for_each(src, bytes, [&](const UnsetRun& run, const uint8_t* begin, uint64_t n) {
    s.make(dst + (begin - src), n, run, run.bits);
  });
}

// Filler is the block's first element when neither side is padded (page "DataCopyPad(ISASI)").
void move_padded(Spread& s, const opk_copy_v1& c, uint8_t* dst, const uint8_t* src) {
  const uint64_t size = element_bytes(c), left = c.pad_left * size;
  move(s, dst + left, src, c.block_bytes);
  if (left || c.pad_right) return;
  const UnsetRun* first = s.read.find(src, size);
  if (first) s.make(dst + c.block_bytes, whole_blocks(c.block_bytes) - c.block_bytes, *first);
}

void widen(Spread& s, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += 2) {
    if (const UnsetRun* run = s.read.find(src + at, 2)) s.make(dst + 2 * at, 4, *run);
  }
}

void spread_blocks(Spread& s, const opk_copy_v1& c) {
  const bool widens = written_block(c) == 2 * c.block_bytes && c.op == OPK_C_BIAS;
  for (uint32_t b = 0; b < c.block_count; ++b) {
    uint8_t* dst = at(c.dst, b * c.dst_pitch);
    const uint8_t* src = at(c.src, b * c.src_pitch);
    if (c.op == OPK_C_PAD_IN)
      move_padded(s, c, dst, src);
    else if (widens)
      widen(s, dst, src, c.block_bytes);
    else
      move(s, dst, src, c.block_bytes);
  }
}

// Rows against panels of 32 bytes.
void spread_panels(Spread& s, const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c), row_bytes = c.columns * size;
  const bool to_nz = c.op == OPK_C_ND2NZ;
  const opk_operand &nd = to_nz ? c.src : c.dst, &nz = to_nz ? c.dst : c.src;
  for (uint32_t m = 0; m < c.matrix_count; ++m) {
    for (uint32_t n = 0; n < c.rows; ++n) {
      uint8_t* row = at(
          nd, static_cast<int64_t>((m * c.nd_matrix_pitch + uint64_t{n} * c.nd_row_pitch) * size));
      uint8_t* unit = at(nz, static_cast<int64_t>(m * c.nz_matrix_pitch * size +
                                                  uint64_t{n} * c.nz_row_pitch * kCopyBlock));
      for (uint64_t done = 0; done < row_bytes; done += kCopyBlock) {
        const uint64_t part = std::min(kCopyBlock, row_bytes - done);
        to_nz ? move(s, unit, row + done, part) : move(s, row + done, unit, part);
        unit += uint64_t{c.nz_column_pitch} * kCopyBlock;
      }
    }
  }
}

// Elements of a fractal of 16 x 16 halves, turned.
void turn_halves(Spread& s, const uint8_t* dst, const uint8_t* src) {
  if (!s.read.find(src, kFractal)) return;
  for (uint64_t i = 0; i < kSide * kSide; ++i) {
    const UnsetRun* run = s.read.find(src + 2 * i, 2);
    if (run) s.make(dst + 2 * (i % kSide * kSide + i / kSide), 2, *run);
  }
}

// Marks fractals that a load turns together: unset when all of them are, else perhaps unset.
void turn_square(Spread& s, const Access& to, const uint8_t* src, uint32_t r, uint64_t fractals) {
  const UnsetRun* run = s.read.find(src, fractals * kFractal);
  if (!run) return;
  const bool all = s.read.covers(src, fractals * kFractal);
  for (uint32_t j = 0; j < to.blocks; ++j) {
    const uint8_t* dst = to.address + r * to.repeat_pitch + j * to.block_pitch;
    all ? s.make(dst, kFractal, *run) : s.make_perhaps(dst, kFractal);
  }
}

}  // namespace

void spread_copy(Spread& s) {
  const auto& c = *static_cast<const opk_copy_v1*>(s.f.instruction);
  if (c.op == OPK_C_FILL) return;
  is_matrix(c) ? spread_panels(s, c) : spread_blocks(s, c);
}

// access[0] and [1] are source and destination; a step of 0 in the source reads one fractal again.
void spread_load(Spread& s) {
  const auto& l = *static_cast<const opk_load_v1*>(s.f.instruction);
  if ((l.op != OPK_L_2D && l.op != OPK_L_TRANSPOSE) || s.f.access_count != 2)
    return spread_whole(s);
  const Access &from = s.f.access[0], &to = s.f.access[1];
  const bool halves = dtype_bits(l.src.dtype) == 16;
  for (uint32_t r = 0; r < to.repeats; ++r) {
    const uint8_t* src = from.address + (from.repeats > 1 ? r * from.repeat_pitch : 0);
    const uint8_t* dst = to.address + r * to.repeat_pitch;
    if (l.op == OPK_L_2D && !l.transpose)
      move(s, dst, src, kFractal);
    else if (halves)
      turn_halves(s, dst, src);
    else
      turn_square(s, to, src, r, from.blocks);
  }
}

}  // namespace opkit::core::checked
