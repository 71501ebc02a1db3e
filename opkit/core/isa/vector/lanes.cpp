#include "opkit/core/isa/vector/lanes.h"

#include <algorithm>
#include <cstring>

namespace opkit::core {
namespace {

constexpr uint32_t kMaxRepeats = 255;

// Page "ReduceMax": reductions of a whole operand take more iterations than one instruction has.
bool check_repeats(const VectorCall& call) {
  if (call.v.repeat <= kMaxRepeats) [[likely]]
    return true;
  const uint32_t most = is_whole_reduction(call.v.op) ? kMostReduced : kMaxRepeats;
  if (call.v.repeat <= most) return true;
  refuse(call, "EK1201",
         "repeatTime " + std::to_string(call.v.repeat) + " is above " + std::to_string(most),
         "split the instruction, or use the form that takes an element count");
  return false;
}

void count_lanes(uint64_t count, uint32_t per_repeat, Lanes& lanes) {
  lanes.repeats = static_cast<uint32_t>((count + per_repeat - 1) / per_repeat);
  lanes.mask = Mask::first(per_repeat);
  const auto rest = static_cast<uint32_t>(count % per_repeat);
  lanes.last = rest ? Mask::first(rest) : lanes.mask;
}

// Says which elements of a masked access take part, from element `first` on.
void tell_lanes(Access& access, const Side& side, const Mask& mask, uint32_t first) {
  if (!access.partial || side.bits < 8) return;
  access.lane_bytes = static_cast<uint8_t>(side.bits / 8);
  for (uint32_t i = first; i < mask.end(); ++i) {
    if (mask.test(i)) access.lanes[(i - first) / 64] |= uint64_t{1} << ((i - first) % 64);
  }
}

// What the iterations touch of a side whose elements under `mask` take part.
void add_masked(Footprint& footprint, Access access, const Side& side, uint32_t first_repeat,
                uint32_t repeats, const Mask& mask) {
  const uint32_t n = mask.end();
  if (repeats == 0 || n == 0) return;
  access.partial = !mask.is_prefix();
  access.address = side.at(first_repeat);
  access.repeats = repeats;
  access.repeat_pitch = side.repeat_step;
  const uint32_t blocks = n / side.per_block, rest = n % side.per_block;
  if (blocks && side.block_step == kBlockBytes) {
    access.block_bytes = static_cast<uint32_t>(side.bytes(n));
    return tell_lanes(footprint.add(access), side, mask, 0);
  }
  access.block_pitch = side.block_step;
  access.blocks = side.block_step == 0 ? std::min(blocks, 1u) : blocks;
  access.block_bytes = kBlockBytes;
  const bool folded = side.block_step == 0 && n > side.per_block;  // blocks on one another
  if (blocks && folded) {
    footprint.add(access);
    return;
  }
  if (blocks) tell_lanes(footprint.add(access), side, mask, 0);
  if (!rest) return;
  access.address += uint64_t{blocks} * side.block_step;
  access.blocks = 1;
  access.block_bytes = static_cast<uint32_t>(side.bytes(rest));
  tell_lanes(footprint.add(access), side, mask, blocks * side.per_block);
}

uint64_t extent_of(const Side& side, uint32_t repeats, uint32_t n) {
  if (repeats == 0 || n == 0) return 0;
  const uint32_t block = (n - 1) / side.per_block;
  const uint32_t in_block =
      side.block_step == 0 && block > 0 ? side.per_block : (n - 1) % side.per_block + 1;
  return uint64_t{repeats - 1} * side.repeat_step + uint64_t{block} * side.block_step +
         (side.bytes(in_block) ? side.bytes(in_block) : 1);
}

}  // namespace

bool Mask::any_in(uint32_t from, uint32_t n) const {
  for (uint32_t i = from; i < from + n; ++i) {
    if (test(i)) return true;
  }
  return false;
}

bool lanes_of(const VectorCall& call, uint32_t per_repeat, Lanes& lanes) {
  const opk_vector_v1& v = call.v;
  lanes.per_repeat = per_repeat;
  if (v.form == OPK_LANES_COUNT) return count_lanes(v.count, per_repeat, lanes), true;
  const bool counter = v.form == OPK_LANES_REGISTER && call.core.mask_mode != 0;
  if (counter && v.op != OPK_V_COPY) {
    // Counter mode: the register holds the number of elements; iterations go on until it is used
    // up.
    return count_lanes(call.core.mask[0] & 0xffffffffu, per_repeat, lanes), true;
  }
  if (!check_repeats(call)) return false;
  lanes.repeats = v.repeat;
  if (counter) {
    // Copy in counter mode: so many elements in each of repeatTime iterations.
    lanes.mask =
        Mask::first(static_cast<uint32_t>(std::min<uint64_t>(call.core.mask[0], per_repeat)));
  } else {
    const uint64_t* words = v.form == OPK_LANES_MASK ? v.mask : call.core.mask;
    lanes.mask.word[0] = words[0];
    lanes.mask.word[1] = words[1];
    lanes.mask = lanes.mask.and_first(per_repeat);
  }
  lanes.last = lanes.mask;
  if (lanes.mask.none()) lanes.repeats = 0;
  return true;
}

Side side_of(const VectorCall& call, unsigned operand, uint32_t per_repeat) {
  const opk_operand& o = call.operand(operand);
  Side side;
  side.base = static_cast<uint8_t*>(o.address);
  side.bits = dtype_bits(o.dtype);
  side.per_block = 8 * kBlockBytes / side.bits;
  if (call.v.form == OPK_LANES_COUNT) {
    side.block_step = kBlockBytes;
    side.repeat_step = static_cast<uint32_t>(side.bytes(per_repeat));
  } else {
    side.block_step = o.block_stride * kBlockBytes;
    side.repeat_step = o.repeat_stride * kBlockBytes;
  }
  return side;
}

uint64_t Side::extent(const Lanes& lanes) const {
  if (lanes.repeats == 0) return 0;
  return std::max(extent_of(*this, lanes.repeats - 1, lanes.mask.end()),
                  extent_of(*this, lanes.repeats, lanes.last.end()));
}

void add_accesses(Footprint& footprint, const VectorCall& call, unsigned operand, const Side& side,
                  const Lanes& lanes, bool write) {
  if (lanes.repeats == 0) return;
  const Access access = run_of(call, operand, 0, write);
  const bool uniform =
      lanes.mask.word[0] == lanes.last.word[0] && lanes.mask.word[1] == lanes.last.word[1];
  if (call.v.form == OPK_LANES_COUNT) {
    const uint64_t n = uint64_t{lanes.repeats - 1} * lanes.per_repeat + lanes.last.end();
    footprint.add(access).block_bytes = static_cast<uint32_t>(side.bytes(n));
    return;
  }
  const uint32_t same = uniform ? lanes.repeats : lanes.repeats - 1;
  add_masked(footprint, access, side, 0, same, lanes.mask);
  if (!uniform) add_masked(footprint, access, side, same, 1, lanes.last);
}

uint64_t SideBlocks::extent(uint32_t repeats) const {
  return uint64_t{repeats - 1} * side.repeat_step + uint64_t{blocks - 1} * side.block_step +
         kBlockBytes;
}

bool SideBlocks::apart(uint32_t repeats) const {
  const auto one_by_one = [](uint32_t count, uint64_t step, uint64_t bytes) {
    return count == 1 || step >= bytes;
  };
  const uint64_t row = uint64_t{blocks - 1} * side.block_step + kBlockBytes,
                 column = uint64_t{repeats - 1} * side.repeat_step + kBlockBytes;
  return (one_by_one(blocks, side.block_step, kBlockBytes) &&
          one_by_one(repeats, side.repeat_step, row)) ||
         (one_by_one(repeats, side.repeat_step, kBlockBytes) &&
          one_by_one(blocks, side.block_step, column));
}

const uint8_t* SideBlocks::gather(uint32_t r, uint32_t repeats, uint8_t* room) const {
  const uint8_t* from = side.at(r);
  if (dense()) return from;
  uint8_t* to = room;
  for (uint32_t i = 0; i < repeats; ++i, from += side.repeat_step) {
    for (uint32_t b = 0; b < blocks; ++b, to += kBlockBytes)
      std::memcpy(to, from + uint64_t{b} * side.block_step, kBlockBytes);
  }
  return room;
}

void SideBlocks::scatter(uint32_t r, uint32_t repeats, const uint8_t* room) const {
  uint8_t* to = side.at(r);
  for (uint32_t i = 0; i < repeats; ++i, to += side.repeat_step) {
    for (uint32_t b = 0; b < blocks; ++b, room += kBlockBytes)
      std::memcpy(to + uint64_t{b} * side.block_step, room, kBlockBytes);
  }
}

const uint8_t* gather_repeat(const Side& side, uint32_t r, uint32_t n, uint8_t* room) {
  const uint8_t* p = side.at(r);
  if (side.dense(n)) return p;
  const uint32_t blocks = (n + side.per_block - 1) / side.per_block;
  for (uint32_t b = 0; b < blocks; ++b)
    std::memcpy(room + b * kBlockBytes, p + uint64_t{b} * side.block_step, kBlockBytes);
  return room;
}

void scatter_repeat(const Side& side, uint32_t r, const Mask& mask, const uint8_t* row) {
  uint8_t* p = side.at(r);
  for_each_run_of(mask, [&](uint32_t first, uint32_t n) {
    for (uint32_t end = first + n; first < end;) {
      const uint32_t block = first / side.per_block, in_block = first % side.per_block;
      const uint32_t part = side.block_step == kBlockBytes
                                ? end - first
                                : std::min(end - first, side.per_block - in_block);
      std::memcpy(p + uint64_t{block} * side.block_step + side.bytes(in_block),
                  row + side.bytes(first), side.bytes(part));
      first += part;
    }
  });
}

}  // namespace opkit::core
