#include "opkit/core/isa/vector/strip.h"

#include <algorithm>

#include "opkit/core/isa/vector/lanes.h"

namespace opkit::core {
namespace {

constexpr uint32_t kMostRepeats = 255;

// Returns the elements of each iteration; 0: not the first ones without a gap, or none.
uint32_t prefix_of(const VectorCall& call, uint32_t per_repeat) {
  const uint64_t* words = call.v.form == OPK_LANES_MASK ? call.v.mask : call.core.mask;
  if (words[0] == ~uint64_t{0} && per_repeat <= 64) return per_repeat;
  Mask mask;
  mask.word[0] = words[0];
  mask.word[1] = words[1];
  mask = mask.and_first(per_repeat);
  return mask.is_prefix() ? mask.end() : 0;
}

bool has_no_gaps(const opk_operand& o, uint32_t bytes) {
  return o.block_stride == 1 || bytes <= kBlockBytes;
}

bool lies_well(const VectorCall& call, unsigned i, uint32_t bytes) {
  const opk_operand& o = call.operand(i);
  const uint64_t extent = uint64_t{call.v.repeat - 1u} * o.repeat_stride * kBlockBytes + bytes;
  return lies_in_local(call.core, o, extent, kBlockBytes);
}

// Calls that convert read more registers than the key has.
void set_key(const VectorCall& call, const RowStrip& strip, StripKey& key) {
  const opk_vector_v1& v = call.v;
  const RowStep& step = strip.step;
  key.operands = 0;
  const uint32_t moves = strip.n * (step.dst_bytes | step.src_bytes);
  const bool converts =
      step.dst_bytes != step.src_bytes || v.operand[0].dtype != v.operand[1].dtype;
  if (v.form != OPK_LANES_REGISTER || v.operand_count < 2 || converts || moves % kBlockBytes != 0)
    return;
  key.operands = v.operand_count;
  key.head = StripKey::head_of(v);
  for (unsigned i = 0; i < v.operand_count; ++i) {
    const opk_operand& o = v.operand[i];
    const bool block = i == 2 && strip.folded;
    key.place[i] = StripKey::place_of(o);
    key.extent[i] = uint64_t{v.repeat - 1u} * o.repeat_stride * kBlockBytes +
                    (block ? kBlockBytes : strip.n * step.src_bytes);
    key.end[i] = call.core.memory[o.memory] + call.core.memory_size[o.memory];
  }
  for (unsigned i = 0; i < 2; ++i) {
    key.mask[i] = call.core.mask[i];
    key.scalar[i] = v.scalar[i];
  }
  key.ctrl = call.core.ctrl;
}

}  // namespace

bool strip_of(const VectorCall& call, const Row& row, RowStrip& strip) {
  const opk_vector_v1& v = call.v;
  if (v.form == OPK_LANES_COUNT || v.repeat == 0 || v.repeat > kMostRepeats) return false;
  if (v.form == OPK_LANES_REGISTER && call.core.mask_mode != 0) return false;
  const uint32_t dst_bits = call.bits(0), src_bits = row.sources > 0 ? call.bits(1) : dst_bits;
  if (dst_bits < 8 || src_bits < 8) return false;
  const uint32_t widest = std::max(dst_bits, src_bits);  // 8, 16, 32 or 64
  const uint32_t n = prefix_of(call, 8 * kRepeatBytes >> __builtin_ctz(widest));
  if (n == 0) return false;
  const uint32_t dst_bytes = n * dst_bits / 8, src_bytes = n * src_bits / 8;
  const opk_operand &dst = v.operand[0], &a = v.operand[row.sources > 0 ? 1 : 0],
                    &b = v.operand[row.sources];
  strip.folded = row.sources == 2 && !has_no_gaps(b, src_bytes);
  if (strip.folded && (b.block_stride != 0 || !row.folded)) return false;
  if (!has_no_gaps(dst, dst_bytes) || !has_no_gaps(a, src_bytes)) return false;
  if (!lies_well(call, 0, dst_bytes)) return false;
  if (row.sources > 0 && !lies_well(call, 1, src_bytes)) return false;
  if (row.sources > 1 && !lies_well(call, 2, strip.folded ? kBlockBytes : src_bytes)) return false;
  strip.n = n;
  strip.rows = v.repeat;
  strip.dst_pitch = dst.repeat_stride * kBlockBytes;
  strip.a_pitch = a.repeat_stride * kBlockBytes;
  strip.b_pitch = b.repeat_stride * kBlockBytes;
  strip.ub_a = static_cast<const uint8_t*>(a.address);
  strip.ub_b = static_cast<const uint8_t*>(b.address);
  RowStep& step = strip.step;
  step.fn = strip.folded ? row.folded : row.fn;
  step.dst = static_cast<uint8_t*>(dst.address);
  step.dst_bytes = dst_bits / 8;
  step.src_bytes = src_bits / 8;
  step.saturate = row.saturates && call.saturates() ? dst.dtype : -1;
  step.fold_row = step.fold_pitch = 0;
  step.op = v.op;
  step.reads_dst = row.reads_dst;
  strip.times = 1;
  set_key(call, strip, strip.key);
  return true;
}

}  // namespace opkit::core
