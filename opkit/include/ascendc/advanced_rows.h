// Sums and extremes of rows without scalar reads: a statistic fills one block with equal lanes, and
// instructions take it with strides 0.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_ROWS_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_ROWS_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {
namespace detail {

template <typename T>
constexpr uint32_t block_lanes() {
  return ONE_BLK_SIZE / sizeof(T);
}
constexpr uint32_t align_to(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

template <ReduceType type, typename T>
OPKIT_INLINE void reduce_iterations(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                    uint32_t mask, uint32_t repeats, int32_t stride) {
  ReduceRepeat<type>(dst, src, static_cast<int32_t>(mask), static_cast<int32_t>(repeats), 1, 1,
                     stride, ReduceOrder::ORDER_ONLY_VALUE);
}

// One value per iteration of 256 bytes; returns how many.
template <ReduceType type, typename T>
OPKIT_INLINE uint32_t fold_once(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t n) {
  constexpr uint32_t kLanes = repeat_elements<T>(), kMost = 240;  // a multiple of every block
  const uint32_t full = n / kLanes;
  for (uint32_t at = 0; at < full; at += kMost) {
    const uint32_t now = full - at < kMost ? full - at : kMost;
    reduce_iterations<type>(dst[at], src[at * kLanes], kLanes, now, 8);
  }
  if (n % kLanes) reduce_iterations<type>(dst[full], src[full * kLanes], n % kLanes, 1, 8);
  return full + (n % kLanes != 0);
}

// Elements of `work` that a row of n elements needs.
template <typename T>
constexpr uint32_t fold_room(uint32_t n) {
  uint32_t room = 0;
  for (constexpr uint32_t kLanes = repeat_elements<T>(); n > kLanes;) {
    n = (n + kLanes - 1) / kLanes;
    room += align_to(n, block_lanes<T>());
  }
  return room;
}

// Reduces src to at most one iteration, which lies in `row` afterwards.
template <ReduceType type, typename T>
OPKIT_INLINE uint32_t fold_row(LocalTensor<T>& row, const LocalTensor<T>& work, uint32_t n) {
  uint32_t used = 0;
  while (n > repeat_elements<T>()) {
    const LocalTensor<T> next = work[used];
    n = fold_once<type>(next, row, n);
    used += align_to(n, block_lanes<T>());
    row = next;
  }
  return n;
}

// Every lane of `block` is the sum or extreme of n elements.
template <ReduceType type, typename T>
OPKIT_INLINE void reduce_to_block(const LocalTensor<T>& block, const LocalTensor<T>& src,
                                  const LocalTensor<T>& work, uint32_t n) {
  LocalTensor<T> row = src;
  const uint32_t left = fold_row<type>(row, work, n);
  reduce_iterations<type>(block, row, left, block_lanes<T>(), 0);
}
// dst[0] alone; dst may start at any element.
template <ReduceType type, typename T>
OPKIT_INLINE void reduce_to_one(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                const LocalTensor<T>& work, uint32_t n) {
  LocalTensor<T> row = src;
  const uint32_t left = fold_row<type>(row, work, n);
  reduce_iterations<type>(dst, row, left, 1, 8);
}

// dst = src op block, n elements; the block's strides are 0.
template <typename T>
OPKIT_INLINE void with_block(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                             const LocalTensor<T>& block, uint32_t n) {
  constexpr uint32_t kLanes = repeat_elements<T>(), kMost = 240;
  const BinaryRepeatParams strides(1, 1, 0, 8, 8, 0);
  const uint32_t full = n / kLanes;
  for (uint32_t at = 0; at < full; at += kMost) {
    const uint32_t now = full - at < kMost ? full - at : kMost;
    binary<true>(op, dst[at * kLanes], src[at * kLanes], block, uint64_t{kLanes},
                 static_cast<uint8_t>(now), strides);
  }
  if (n % kLanes)
    binary<true>(op, dst[full * kLanes], src[full * kLanes], block, uint64_t{n % kLanes}, 1,
                 strides);
}

// Rows start at multiples of 32 bytes.
template <typename T>
OPKIT_INLINE bool is_whole_row(const char* name, uint32_t pitch) {
  if (__builtin_expect(pitch != 0 && pitch * sizeof(T) % 32 == 0, 1)) return true;
  refuse_shape(name, "the bytes of a row must be a multiple of 32 and not zero", pitch * sizeof(T));
  return false;
}

// Copies one element of a tensor into every lane of a block of floats.
class LaneSpreader {
 public:
  OPKIT_INLINE explicit LaneSpreader(Scratch& scratch) {
    zeros_ = scratch.take<uint32_t>(8);
    narrow_ = scratch.take<half>(16);
    Duplicate(zeros_, uint32_t{0}, 8);
  }
  template <typename T>
  OPKIT_INLINE void operator()(const LocalTensor<float>& block, const LocalTensor<T>& src,
                               uint32_t index) const {
    const auto at = static_cast<uint32_t>(index * sizeof(T));
    if constexpr (std::is_same<T, float>::value) {
      Gather(block, src, zeros_, at, 8);
    } else {
      Gather(narrow_, src, zeros_, at, 8);
      Cast(block, narrow_, RoundMode::CAST_NONE, 8);
    }
  }

 private:
  LocalTensor<uint32_t> zeros_;
  LocalTensor<half> narrow_;
};

// Returns the row as floats: src itself, or its copy in `room`.
template <typename T>
OPKIT_INLINE LocalTensor<float> as_floats(const LocalTensor<T>& src, const LocalTensor<float>& room,
                                          uint32_t n) {
  if constexpr (std::is_same<T, float>::value) {
    return src;
  } else {
    Cast(room, src, RoundMode::CAST_NONE, n);
    return room;
  }
}
// Writes floats that are the result: the last instruction writes dst itself when it is float.
template <typename T>
OPKIT_INLINE LocalTensor<float> result_of(const LocalTensor<T>& dst,
                                          const LocalTensor<float>& room) {
  if constexpr (std::is_same<T, float>::value) {
    return dst;
  } else {
    return room;
  }
}
template <typename T>
OPKIT_INLINE void finish_result(const LocalTensor<T>& dst, const LocalTensor<float>& result,
                                uint32_t n) {
  if constexpr (!std::is_same<T, float>::value) Cast(dst, result, RoundMode::CAST_NONE, n);
}

// One block of equal lanes of S from one of float.
template <typename S>
OPKIT_INLINE void store_block(const LocalTensor<S>& dst, const LocalTensor<float>& block,
                              const LocalTensor<float>& wide) {
  if constexpr (std::is_same<S, float>::value) {
    Adds(dst, block, 0.0f, 8);
  } else {
    reduce_iterations<ReduceType::MAX>(wide, block, 8, 16, 0);
    Cast(dst, wide, RoundMode::CAST_NONE, 16);
  }
}

// One value of T from a block of equal float lanes; dst may start at any element.
template <typename T>
OPKIT_INLINE void store_one(const LocalTensor<T>& dst, const LocalTensor<float>& block,
                            const LocalTensor<float>& room) {
  if constexpr (std::is_same<T, float>::value) {
    reduce_iterations<ReduceType::MAX>(dst, block, 1, 1, 8);
  } else {
    const LocalTensor<T> narrow = room.template ReinterpretCast<T>();
    Cast(narrow, block, RoundMode::CAST_NONE, 8);
    reduce_iterations<ReduceType::MAX>(dst, narrow, 1, 1, 8);
  }
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_ROWS_H_
