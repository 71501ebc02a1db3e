// Broadcast, also spelled BroadCast: one row or one column repeated. (Page "Broadcast".)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_BROADCAST_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_BROADCAST_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {
namespace detail {

// Copies whole words of two bytes; both start at multiples of 32 bytes.
OPKIT_INLINE void copy_words(const LocalTensor<uint16_t>& dst, const LocalTensor<uint16_t>& src,
                             uint32_t words) {
  constexpr uint32_t kRepeat = 128, kMost = 255;
  for (uint32_t at = 0; at < words;) {
    const uint32_t repeats = (words - at) / kRepeat;
    const uint32_t now = repeats > kMost ? kMost : repeats;
    const uint64_t mask = now ? kRepeat : words - at;
    Copy(dst[at], src[at], mask, static_cast<uint8_t>(now ? now : 1), CopyRepeatParams(1, 1, 8, 8));
    at += now ? now * kRepeat : words - at;
  }
}
template <typename T>
OPKIT_INLINE void copy_elements(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                uint32_t count) {
  copy_words(dst.template ReinterpretCast<uint16_t>(), src.template ReinterpretCast<uint16_t>(),
             static_cast<uint32_t>(bytes_of<T>(count) / 2));
}

// offsets[k] = bytes of element (first + k) / columns. (k + 0.5) / columns is at least 0.5 /
// columns away from a whole number, which the error of one float product stays below up to 2^22
// elements.
OPKIT_INLINE void row_offsets(const LocalTensor<float>& t, uint32_t first, uint32_t n,
                              uint32_t columns, uint32_t size) {
  const auto count = static_cast<int32_t>(n);
  const LocalTensor<int32_t> whole = t.ReinterpretCast<int32_t>();
  CreateVecIndex(whole, static_cast<int32_t>(first), n);
  Cast(t, whole, RoundMode::CAST_NONE, n);
  Adds(t, t, 0.5f, count);
  Muls(t, t, 1.0f / static_cast<float>(columns), count);
  Cast(whole, t, RoundMode::CAST_FLOOR, n);
  Muls(whole, whole, static_cast<int32_t>(size), count);
}

// dst[i][j] = src[i].
template <typename T>
OPKIT_INLINE void repeat_columns(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 uint32_t rows, uint32_t columns, const LocalTensor<uint8_t>& tmp) {
  const uint32_t total = rows * columns;
  if constexpr (sizeof(T) == 1) {
    Scratch scratch("Broadcast", tmp);
    const LocalTensor<half> source = scratch.take<half>(rows);
    const LocalTensor<uint8_t> rest = scratch.take<uint8_t>(scratch.left() / 32 * 32);
    Cast(source, src, RoundMode::CAST_NONE, rows);
    in_pieces("Broadcast", rest, 2, total, [&](uint32_t first, uint32_t n, const Floats& t) {
      const LocalTensor<half> wide = t[1].ReinterpretCast<half>();
      row_offsets(t[0], first, n, columns, 2);
      Gather(wide, source, t[0].ReinterpretCast<uint32_t>(), 0, n);
      Cast(dst[first], wide, RoundMode::CAST_RINT, n);
    });
  } else {
    in_pieces("Broadcast", tmp, 1, total, [&](uint32_t first, uint32_t n, const Floats& t) {
      row_offsets(t[0], first, n, columns, sizeof(T));
      Gather(dst[first], src, t[0].ReinterpretCast<uint32_t>(), 0, n);
    });
  }
}

template <typename T>
OPKIT_INLINE void repeat_rows(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t rows,
                              uint32_t columns) {
  if (__builtin_expect(bytes_of<T>(columns) % 32 != 0, 0))
    return refuse_shape("Broadcast", "a row that is repeated must be a multiple of 32 bytes",
                        bytes_of<T>(columns));
  for (uint32_t i = 0; i < rows; ++i) copy_elements(dst[i * columns], src, columns);
}

template <typename T, int32_t dim, int32_t axis>
OPKIT_INLINE void broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const uint32_t* to, const uint32_t* from,
                            const LocalTensor<uint8_t>& tmp) {
  // int32_t and uint32_t: the page does not name them, public kernels rely on them.
  static_assert(one_of<T, int8_t, uint8_t, half, float, int32_t, uint32_t>(),
                "Broadcast exists for int8_t, uint8_t, half, float and 32-bit integers only: use "
                "ReinterpretCast");
  static_assert(dim == 1 || dim == 2, "Broadcast exists for one and two dims only");
  static_assert(axis == 0 || (axis == 1 && dim == 2), "Broadcast: the axis is 0 or 1, below dim");
  for (int32_t i = 0; i < dim; ++i) {
    if (__builtin_expect(from[i] != to[i] && (i != axis || from[i] != 1), 0))
      return refuse_shape(
          "Broadcast", "a dim of the source must be the destination's, or 1 at the axis", from[i]);
  }
  const uint32_t high = dim == 1 ? 1 : to[0], low = dim == 1 ? 1 : from[0];
  if (excludes_overlap("Broadcast", extent(dst, high * to[dim - 1]),
                       extent(src, low * from[dim - 1])))
    return;
  if (dim == 1 && from[0] == 1) return repeat_columns(dst, src, 1, to[0], tmp);
  if (dim == 1) return repeat_columns(dst, src, to[0], 1, tmp);
  if (from[axis] == to[axis]) return repeat_columns(dst, src, to[0] * to[dim - 1], 1, tmp);
  if (axis == 0) return repeat_rows(dst, src, to[0], to[dim - 1]);
  repeat_columns(dst, src, to[0], to[dim - 1], tmp);
}

}  // namespace detail

#define OPKIT_BROADCAST(Name)                                                            \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>           \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,           \
                         const uint32_t dstShape[dim], const uint32_t srcShape[dim],     \
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {                  \
    const detail::LibraryCall in_library("Broadcast");                                   \
    detail::broadcast<T, dim, axis>(dst, src, dstShape, srcShape, sharedTmpBuffer);      \
  }                                                                                      \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>           \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,           \
                         const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {   \
    const detail::LibraryCall in_library("Broadcast");                                   \
    detail::broadcast<T, dim, axis>(dst, src, dstShape, srcShape, detail::rest_of_ub()); \
  }
OPKIT_BROADCAST(Broadcast)
OPKIT_BROADCAST(BroadCast)
#undef OPKIT_BROADCAST

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_BROADCAST_H_
