// Unset bytes in vector instructions whose data say which elements go where: an unset value among
// those data is reported at once.
#include <algorithm>

#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/modes/checked/spread_call.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {
namespace {

constexpr uint32_t kList = 16;  // blocks of TransDataTo5HD

uint32_t offset_at(const VectorCall& call, uint64_t i) {
  return reinterpret_cast<const uint32_t*>(call.address(2))[i];
}

// dst[i] = the element at base + offset[i].
void spread_gather(Spread& s, const VectorCall& call) {
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0);
  const uint64_t size = call.bits(0) / 8;
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes)) return;
  const Side dst = side_of(call, 0, per_repeat);
  const uint8_t* src = call.address(1) + static_cast<uint32_t>(call.v.param[0]);
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    for (uint32_t i = 0; i < lanes.of(r).end(); ++i) {
      if (!lanes.of(r).test(i)) continue;
      const uint64_t at = uint64_t{r} * per_repeat + i;
      if (const UnsetRun* offset = s.read.find(call.address(2) + 4 * at, 4))
        return s.decides(*offset, "is taken as an offset");
      const UnsetRun* run = s.read.find(src + offset_at(call, at), size);
      uint8_t* to = dst.at(r) + uint64_t{i / dst.per_block} * dst.block_step;
      if (run) s.make(to + i % dst.per_block * size, size, *run);
    }
  }
}

void spread_gatherb(Spread& s, const VectorCall& call) {
  const Side dst = side_of(call, 0, 8 * kRepeatBytes / call.bits(0));
  for (uint64_t i = 0; i < 8u * call.v.repeat; ++i) {
    if (const UnsetRun* offset = s.read.find(call.address(2) + 4 * i, 4))
      return s.decides(*offset, "is taken as an offset");
    uint8_t* to = dst.at(static_cast<uint32_t>(i / 8)) + i % 8 * dst.block_step;
    const uint8_t* from = call.address(1) + offset_at(call, i);
    s.read.for_each(from, kBlockBytes,
                    [&](const UnsetRun& run, const uint8_t* begin, uint64_t bytes) {
                      s.make(to + (begin - from), bytes, run, run.bits);
                    });
  }
}

// mode = pattern, 0 = the bits of operand 2; flags bit 0 = `count` elements of an iteration.
bool keeps(const VectorCall& call, uint32_t r, uint32_t i) {
  const uint8_t pattern = call.v.mode;
  if (pattern == 0) {
    const uint8_t* bits =
        call.address(2) + uint64_t{r} * call.operand(2).repeat_stride * kBlockBytes;
    return bits[i / 8] >> i % 8 & 1;
  }
  if (pattern <= 2) return i % 2 == pattern - 1u;
  return pattern == 7 || i % 4 == pattern - 3u;
}

const UnsetRun* unset_choice(const Spread& s, const VectorCall& call, uint32_t r, uint32_t i) {
  if (call.v.mode != 0) return nullptr;
  const UnsetRun* run = s.read.find(
      call.address(2) + uint64_t{r} * call.operand(2).repeat_stride * kBlockBytes + i / 8, 1);
  return run && (run->bits >> i % 8 & 1) ? run : nullptr;
}

void spread_packing(Spread& s, const VectorCall& call) {
  const uint32_t full = 8 * kRepeatBytes / call.bits(0), n = call.v.flags & 1 ? call.v.count : full;
  const uint64_t size = call.bits(0) / 8, per_block = kBlockBytes / size;
  const opk_operand& src = call.operand(1);
  uint8_t* to = call.address(0);
  for (uint32_t r = 0; r < call.v.repeat; ++r) {
    for (uint32_t i = 0; i < n; ++i) {
      if (const UnsetRun* bit = unset_choice(s, call, r, i))
        return s.decides(*bit, "chooses which elements are kept");
      if (!keeps(call, r, i)) continue;
      const uint64_t from = uint64_t{r} * src.repeat_stride * kBlockBytes +
                            i / per_block * src.block_stride * kBlockBytes + i % per_block * size;
      if (const UnsetRun* run = s.read.find(call.address(1) + from, size)) s.make(to, size, *run);
      to += size;
    }
  }
}

// Scores decide the order, so that all places of a group are unset when one of its scores is;
// whether an unset index comes to a place that counts is not known.
void spread_sorted(Spread& s, const uint8_t* to, uint64_t bytes, const UnsetRun* score,
                   bool index) {
  if (score)
    s.make(to, bytes, *score);
  else if (index)
    s.make_perhaps(to, bytes);
}

void spread_sort32(Spread& s, const VectorCall& call) {
  const uint64_t size = call.bits(1) / 8;
  for (uint32_t r = 0; r < call.v.repeat; ++r) {
    spread_sorted(s, call.address(0) + r * 256, 256,
                  s.read.find(call.address(1) + r * 32 * size, 32 * size),
                  s.read.find(call.address(2) + r * 128, 128) != nullptr);
  }
}

// Pairs of 8 bytes: the score, then the index.
void spread_merge(Spread& s, const VectorCall& call) {
  const UnsetRun* score = nullptr;
  const uint64_t size = call.bits(0) / 8;
  for (uint32_t i = 0; i < s.f.access_count && !score; ++i) {
    if (s.f.access[i].write) continue;
    for_each_run(s.f.access[i], [&](const uint8_t* address, uint64_t bytes) {
      for (uint64_t at = 0; at < bytes && !score; at += 8) score = s.read.find(address + at, size);
    });
  }
  for_each_run(s.f.access[0], [&](const uint8_t* address, uint64_t bytes) {
    spread_sorted(s, address, bytes, score, true);
  });
}

}  // namespace

void spread_chosen(Spread& s) {
  const VectorCall call = call_of(s);
  switch (call.v.op) {
    case OPK_V_GATHER: return spread_gather(s, call);
    case OPK_V_GATHERB: return spread_gatherb(s, call);
    case OPK_V_GATHER_MASK: return spread_packing(s, call);
    case OPK_V_SORT32: return spread_sort32(s, call);
    default: return spread_merge(s, call);
  }
}

// Accesses 0 to 15 are the destinations' blocks, 16 to 31 the sources' (page "TransDataTo5HD");
// flags bit 0 and 1: the high halves of blocks of 8-bit elements.
void spread_transpose16(Spread& s) {
  const VectorCall call = call_of(s);
  const uint32_t size = call.bits(0) / 8, rows = size == 4 ? 8 : 16, per_block = kBlockBytes / size;
  const uint32_t dst_half = size == 1 && (call.v.flags & 1) ? 16 : 0;
  const uint32_t src_half = size == 1 && (call.v.flags & 2) ? 16 : 0;
  for (uint32_t r = 0; r < call.v.repeat; ++r) {
    for (uint32_t j = 0; j < kList; ++j) {
      const Access& from = s.f.access[kList + j];
      for (uint32_t i = 0; i < rows; ++i) {
        const uint8_t* element = from.address + r * from.repeat_pitch + (src_half + i) * size;
        const UnsetRun* run = s.read.find(element, size);
        if (!run) continue;
        const Access& to = s.f.access[size == 4 ? 2 * i + j / per_block : i];
        const uint32_t lane = size == 4 ? j % per_block : dst_half + j;
        s.make(to.address + r * to.repeat_pitch + lane * size, size, *run);
      }
    }
  }
}

// mode 0: 16 x 16 elements of 16 bits; 1: NCHW to NHWC; 2: NHWC to NCHW; param = n, c, h, w.
void spread_transpose(Spread& s) {
  const VectorCall call = call_of(s);
  const uint64_t size = call.bits(0) / 8;
  const bool square = call.v.mode == 0;
  const auto& p = call.v.param;
  const uint64_t outer = square ? 1 : static_cast<uint64_t>(p[0]);
  const auto plane = static_cast<uint64_t>(p[2]) * static_cast<uint64_t>(p[3]);
  const bool last = call.v.mode == 1;
  const uint64_t rows = square ? 16 : last ? static_cast<uint64_t>(p[1]) : plane;
  const uint64_t columns = square ? 16 : last ? plane : static_cast<uint64_t>(p[1]);
  for (uint64_t n = 0; n < outer; ++n) {
    for (uint64_t i = 0; i < rows * columns; ++i) {
      const uint64_t from = n * rows * columns + i;
      const uint64_t to = n * rows * columns + i % columns * rows + i / columns;
      const UnsetRun* run = s.read.find(call.address(1) + from * size, size);
      if (run) s.make(call.address(0) + to * size, size, *run);
    }
  }
}

}  // namespace opkit::core::checked
