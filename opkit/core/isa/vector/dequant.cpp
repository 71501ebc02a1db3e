// CastDequant (older name CastDeq): 16-bit integers times a scale plus an offset, to 8 bits. The 16
// results of a source block fill one half of a destination block; the other half stays.
// Semantics: the vendor's pages "CastDequant", "SetDeqScale".
//
// The sum is exact and rounded once, to nearest even. A scale counts with 10 bits of mantissa.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "opkit/core/isa/vector/lanes.h"

namespace opkit::core {
namespace {

constexpr uint32_t kPerBlock = 16;  // elements
constexpr uint32_t kPerRepeat = 128;
constexpr uint64_t kWordBytes = 128;  // counts the bytes of the 16 words

enum : uint8_t { kUpperHalf = 1, kWordPerElement = 2 };  // flags

struct Scale {
  float factor = 1.0f;
  int32_t offset = 0;
  bool is_signed = false;
};

float with_ten_bits(uint32_t bits) {
  bits &= ~uint32_t{0x1fff};
  float factor;
  std::memcpy(&factor, &bits, sizeof factor);
  return factor;
}

int32_t nine_bits(uint32_t bits) {
  const auto low = static_cast<int32_t>(bits & 0x1ff);
  return low > 255 ? low - 512 : low;
}

// Bits 0 to 31 factor, 37 to 45 offset, 46 signed.
Scale scale_of_word(uint64_t word) {
  return {with_ten_bits(static_cast<uint32_t>(word)), nine_bits(static_cast<uint32_t>(word >> 37)),
          (word >> 46 & 1) != 0};
}

Scale scale_of_register(const Core& core) {
  uint32_t bits;
  std::memcpy(&bits, &core.deq_scale, sizeof bits);
  return {with_ten_bits(bits), nine_bits(core.deq_offset_sign),
          (core.deq_offset_sign >> 16 & 1) != 0};
}

struct Dequant {
  const VectorCall& call;
  Lanes lanes;
  Side dst, src;
  Scale scale[kPerBlock];

  bool has_words() const { return (call.v.flags & kWordPerElement) != 0; }
  bool to_signed() const { return call.operand(0).dtype == OPK_INT8; }
};

bool check_types(const VectorCall& call) {
  const uint32_t to = call.operand(0).dtype;
  const bool known = (to == OPK_INT8 || to == OPK_UINT8) && call.operand(1).dtype == OPK_INT16;
  if (!known) refuse_dtypes(call);
  return known;
}

bool check_sign(const Dequant& d) {
  for (uint32_t i = 0; i < kPerBlock; ++i) {
    if (d.scale[i].is_signed == d.to_signed()) continue;
    refuse(d.call, "EK1216",
           std::string("the destination is ") + dtype_name(d.call.operand(0).dtype) + ", but " +
               (d.has_words() ? "signMode of scale " + std::to_string(i) : "signMode") + " is " +
               (d.scale[i].is_signed ? "true" : "false"),
           "set signMode true for int8_t and false for uint8_t in SetDeqScale");
    return false;
  }
  return true;
}

void read_scales(Dequant& d) {
  if (!d.has_words()) {
    for (Scale& scale : d.scale) scale = scale_of_register(d.call.core);
    return;
  }
  for (uint32_t i = 0; i < kPerBlock; ++i) {
    uint64_t word;
    std::memcpy(&word, d.call.address(2) + 8 * i, sizeof word);
    d.scale[i] = scale_of_word(word);
  }
}

bool place(Dequant& d) {
  if (!lanes_of(d.call, kPerRepeat, d.lanes)) return false;
  d.src = side_of(d.call, 1, kPerRepeat);
  d.dst = side_of(d.call, 0, kPerRepeat);
  d.dst.per_block = kPerBlock;
  if (d.call.v.form == OPK_LANES_COUNT) d.dst.repeat_step = kPerRepeat / kPerBlock * kBlockBytes;
  if (d.dst.block_step == 0 && d.lanes.mask.end() > kPerBlock) {
    refuse(d.call, "EK1206", "the destination's block stride is 0, which is undefined",
           "set dstBlkStride to 1, or to the distance of its blocks");
    return false;
  }
  const uint64_t half = d.call.v.flags & kUpperHalf ? kBlockBytes / 2 : 0;
  if (d.lanes.repeats == 0) return true;
  if (!check_extent(d.call, 1, d.src.extent(d.lanes), kBlockBytes) ||
      !check_extent(d.call, 0, d.dst.extent(d.lanes) + half, kBlockBytes))
    return false;
  d.dst.base += half;
  return !d.has_words() || check_extent(d.call, 2, kWordBytes, kBlockBytes);
}

template <typename F>
void for_each_element(const Dequant& d, F&& f) {
  for (uint32_t r = 0; r < d.lanes.repeats; ++r) {
    const Mask& mask = d.lanes.of(r);
    for (uint32_t i = 0; i < mask.end(); ++i) {
      if (!mask.test(i)) continue;
      const uint64_t block = i / kPerBlock, in_block = i % kPerBlock;
      f(d.dst.at(r) + block * d.dst.block_step + in_block,
        d.src.at(r) + block * d.src.block_step + 2 * in_block, in_block);
    }
  }
}

// The lanes of the elements first to first + n of an iteration.
void tell_lanes(Access& access, const Mask& mask, uint32_t first, uint32_t n) {
  if (!access.partial) return;
  access.lane_bytes = 1;
  for (uint32_t i = 0; i < n; ++i) {
    if (mask.test(first + i)) access.lanes[i / 64] |= uint64_t{1} << (i % 64);
  }
}

void add_halves(Footprint& footprint, const Dequant& d, uint32_t first, uint32_t repeats,
                const Mask& mask) {
  if (repeats == 0 || mask.none()) return;
  Access access = run_of(d.call, 0, kPerBlock, true);
  access.address = d.dst.at(first);
  access.partial = !mask.is_prefix();
  access.repeats = repeats;
  access.repeat_pitch = d.dst.repeat_step;
  access.block_pitch = d.dst.block_step;
  access.blocks = mask.end() / kPerBlock;
  if (access.blocks) tell_lanes(footprint.add(access), mask, 0, access.blocks * kPerBlock);
  const uint32_t rest = mask.end() % kPerBlock;
  if (!rest) return;
  access.address += uint64_t{access.blocks} * d.dst.block_step;
  access.blocks = 1;
  access.block_bytes = rest;
  tell_lanes(footprint.add(access), mask, mask.end() - rest, rest);
}

bool admit(const Dequant& d) {
  const VectorCall& call = d.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  add_halves(footprint, d, 0, d.lanes.repeats - 1, d.lanes.mask);
  add_halves(footprint, d, d.lanes.repeats - 1, 1, d.lanes.last);
  add_accesses(footprint, call, 1, d.src, d.lanes, false);
  if (d.has_words()) footprint.make([&] { return run_of(call, 2, kWordBytes, false); });
  return call.core.observer->admit(call.core, footprint);
}

template <typename T>
T converted(int16_t value, const Scale& scale, bool wrap) {
  const double exact =
      std::nearbyint(static_cast<double>(value) * static_cast<double>(scale.factor) + scale.offset);
  if (std::isnan(exact)) return 0;
  constexpr double kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  if (wrap && std::fabs(exact) < 0x1p63) return static_cast<T>(static_cast<int64_t>(exact));
  return static_cast<T>(exact < kLow ? kLow : exact > kHigh ? kHigh : exact);
}

template <typename T>
void compute(const Dequant& d) {
  const bool wrap = d.call.core.ctrl >> kWrapIntegersBit & 1;
  for_each_element(d, [&](uint8_t* to, const uint8_t* from, uint64_t lane) {
    int16_t value;
    std::memcpy(&value, from, sizeof value);
    const T result = converted<T>(value, d.scale[lane], wrap);
    std::memcpy(to, &result, sizeof result);
  });
}

}  // namespace

void run_dequant(const VectorCall& call) {
  if (!check_types(call)) return;
  Dequant d{call, {}, {}, {}, {}};
  if (!place(d) || d.lanes.repeats == 0) return;
  read_scales(d);
  if (!check_sign(d) || !admit(d)) return;
  d.to_signed() ? compute<int8_t>(d) : compute<uint8_t>(d);
}

}  // namespace opkit::core
