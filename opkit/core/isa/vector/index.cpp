// Brcb, CreateVecIndex, ArithProgression. (Pages of those names.)
#include <algorithm>
#include <cstring>

#include "opkit/abi/num/half.h"
#include "opkit/core/isa/vector/lanes.h"

namespace opkit::core {
namespace {

constexpr uint32_t kPerIteration = 8;  // source elements of one Brcb iteration

template <typename T>
void fill_block(uint8_t* block, const uint8_t* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  for (uint32_t i = 0; i < kBlockBytes; i += sizeof value)
    std::memcpy(block + i, &value, sizeof value);
}

bool admit_brcb(const VectorCall& call, uint64_t src_bytes, uint32_t block_step,
                uint32_t repeat_step) {
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  Access to = run_of(call, 0, kBlockBytes, true);
  to.blocks = kPerIteration;
  to.block_pitch = block_step;
  to.repeats = call.v.repeat;
  to.repeat_pitch = repeat_step;
  footprint.add(to);
  footprint.add(run_of(call, 1, src_bytes, false));
  return call.core.observer->admit(call.core, footprint);
}

template <typename T>
T from_bits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// first + i * diff in the element type: the product and the sum are rounded, integers wrap.
template <typename T>
T progression(T first, T diff, uint32_t i) {
  if constexpr (std::is_same_v<T, Half>) {
    const Half product(static_cast<float>(i) * static_cast<float>(diff));
    return Half(static_cast<float>(first) + static_cast<float>(product));
  } else if constexpr (std::is_same_v<T, float>) {
    return first + static_cast<float>(i) * diff;
  } else {
    return static_cast<T>(static_cast<uint32_t>(first) + i * static_cast<uint32_t>(diff));
  }
}

template <typename T>
void fill_row(const VectorCall& call, uint8_t* row, uint32_t from, uint32_t n) {
  const T first = from_bits<T>(call.v.scalar[0]);
  const T diff = call.v.op == OPK_V_CREATE_VEC_INDEX ? T(1) : from_bits<T>(call.v.scalar[1]);
  for (uint32_t i = 0; i < n; ++i) {
    const T value = progression(first, diff, from + i);
    std::memcpy(row + i * sizeof(T), &value, sizeof(T));
  }
}

using FillRow = void (*)(const VectorCall&, uint8_t*, uint32_t, uint32_t);

FillRow fill_row_of(uint32_t dtype) {
  switch (dtype) {
    case OPK_FLOAT16: return fill_row<Half>;
    case OPK_FLOAT32: return fill_row<float>;
    case OPK_INT16: return fill_row<int16_t>;
    case OPK_INT32: return fill_row<int32_t>;
    default: return nullptr;
  }
}

}  // namespace

// Iteration r: block r*dstRepStride + k*dstBlkStride gets element 8r+k, k = 0 to 7.
void run_brcb(const VectorCall& call) {
  const uint32_t size = call.bits(0) / 8;
  if ((size != 2 && size != 4) || call.bits(1) != call.bits(0)) return refuse_dtypes(call);
  const uint32_t repeats = call.v.repeat;
  if (repeats > 255) {
    return refuse(call, "EK1201", "repeatTime " + std::to_string(repeats) + " is above 255",
                  "split the instruction");
  }
  if (repeats == 0) return;
  const uint32_t block_step = call.operand(0).block_stride * kBlockBytes;
  const uint32_t repeat_step = call.operand(0).repeat_stride * kBlockBytes;
  if (block_step == 0) {
    return refuse(call, "EK1206", "the destination's block stride is 0, which is undefined",
                  "set dstBlkStride to 1, or to the distance of its blocks");
  }
  const uint64_t src_bytes = uint64_t{repeats} * kPerIteration * size;
  const uint64_t dst_bytes =
      uint64_t{repeats - 1} * repeat_step + uint64_t{kPerIteration - 1} * block_step + kBlockBytes;
  if (!check_extent(call, 1, src_bytes, kBlockBytes)) return;
  if (!check_extent(call, 0, dst_bytes, kBlockBytes)) return;
  if (!admit_brcb(call, src_bytes, block_step, repeat_step)) return;
  for (uint32_t r = 0; r < repeats; ++r) {
    for (uint32_t k = 0; k < kPerIteration; ++k) {
      uint8_t* block = call.address(0) + uint64_t{r} * repeat_step + uint64_t{k} * block_step;
      const uint8_t* element = call.address(1) + (r * kPerIteration + k) * size;
      size == 2 ? fill_block<uint16_t>(block, element) : fill_block<uint32_t>(block, element);
    }
  }
}

// first, first + 1, ... or first, first + diff, ...; positions count through all iterations.
void run_progression(const VectorCall& call) {
  const FillRow fill = fill_row_of(call.operand(0).dtype);
  if (!fill) return refuse_dtypes(call);
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0);
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes) || lanes.repeats == 0) return;
  const Side side = side_of(call, 0, per_repeat);
  if (!check_extent(call, 0, side.extent(lanes), kBlockBytes)) return;
  if (call.core.observer) {
    Footprint footprint = footprint_of(call);
    add_accesses(footprint, call, 0, side, lanes, true);
    if (!call.core.observer->admit(call.core, footprint)) return;
  }
  if (call.v.form == OPK_LANES_COUNT) return fill(call, call.address(0), 0, call.v.count);
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    alignas(64) uint8_t row[kRepeatBytes];
    fill(call, row, r * per_repeat, per_repeat);
    scatter_repeat(side, r, lanes.of(r), row);
  }
}

}  // namespace opkit::core
