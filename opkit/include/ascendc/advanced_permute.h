// Changes of layout as one gather: the place of every output element is computed by vector
// instructions from the digits of its number, in floats that hold whole numbers below 2^22.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_PERMUTE_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_PERMUTE_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {
namespace detail {

// One axis of the output, innermost first: how many steps it has, and how many elements of the
// source a step moves. The moves of column axes are added up and folded before the others are
// added.
struct Axis {
  uint32_t extent;
  uint32_t stride;
  bool column = false;
};
// column -> column % extent + column / extent * step.
struct Fold {
  uint32_t extent;
  uint32_t step;
};
// source: elements that may be read; places outside are moved to its first or last element. shift
// is subtracted from every place.
struct Permutation {
  Axis axes[6];
  uint32_t axis_count;
  Fold folds[2];
  uint32_t fold_count;
  uint32_t source;
  uint32_t shift = 0;

  uint32_t total() const {
    uint32_t n = 1;
    for (uint32_t i = 0; i < axis_count; ++i) n *= axes[i].extent;
    return n;
  }
};

// q = floor(x / divisor) for whole numbers.
OPKIT_INLINE void whole_quotient(const LocalTensor<float>& q, const LocalTensor<float>& x,
                                 uint32_t divisor, int32_t n) {
  Adds(q, x, 0.5f, n);
  Muls(q, q, 1.0f / static_cast<float>(divisor), n);
  unary(OPK_V_FLOOR, q, q, n);
}

// t[2] += moves of the axes of one kind, for the elements from `first` on.
OPKIT_INLINE void add_moves(const Floats& t, const Permutation& p, bool column, uint32_t first,
                            uint32_t count) {
  const auto n = static_cast<int32_t>(count);
  const LocalTensor<int32_t> whole = t[1].ReinterpretCast<int32_t>();
  CreateVecIndex(whole, static_cast<int32_t>(first), count);
  Cast(t[0], whole, RoundMode::CAST_NONE, count);
  uint32_t rest = 0;
  for (uint32_t i = 0; i < p.axis_count; ++i) {
    const Axis& axis = p.axes[i];
    const LocalTensor<float> x = t[rest], q = t[1 - rest];
    if (i + 1 < p.axis_count) {
      whole_quotient(q, x, axis.extent, n);
      Axpy(x, q, -static_cast<float>(axis.extent), n);
    }
    if (axis.column == column && axis.stride) Axpy(t[2], x, static_cast<float>(axis.stride), n);
    rest = 1 - rest;
  }
}

// Byte offsets of the source, in t[0].
template <typename T>
OPKIT_INLINE LocalTensor<uint32_t> permuted_offsets(const Floats& t, const Permutation& p,
                                                    uint32_t first, uint32_t count) {
  const auto n = static_cast<int32_t>(count);
  Duplicate(t[2], 0.0f, n);
  if (p.fold_count) add_moves(t, p, true, first, count);
  for (uint32_t i = 0; i < p.fold_count; ++i) {
    const Fold& fold = p.folds[i];
    whole_quotient(t[0], t[2], fold.extent, n);
    Axpy(t[2], t[0], static_cast<float>(fold.step) - static_cast<float>(fold.extent), n);
  }
  add_moves(t, p, false, first, count);
  if (p.shift) {
    Adds(t[2], t[2], -static_cast<float>(p.shift), n);
    Maxs(t[2], t[2], 0.0f, n);
  }
  Mins(t[2], t[2], static_cast<float>(p.source - 1), n);
  Muls(t[2], t[2], static_cast<float>(sizeof(T)), n);
  const LocalTensor<int32_t> offsets = t[0].ReinterpretCast<int32_t>();
  Cast(offsets, t[2], RoundMode::CAST_RINT, count);
  return offsets.template ReinterpretCast<uint32_t>();
}

// The `count` output elements from `begin` on, to the start of dst.
template <typename T>
OPKIT_INLINE void permute_range(const char* name, const LocalTensor<T>& dst,
                                const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                                const Permutation& p, uint32_t begin, uint32_t count) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "only 16-bit and 32-bit types can be gathered");
  const uint32_t total = p.total();
  if (__builtin_expect(total >= 1u << 22 || p.source == 0, 0))
    return refuse_shape(name, "the tensor must have from 1 to 4194303 elements", total);
  if (__builtin_expect(overlap(dst, src, count), 0)) return refuse_overlap(name);
  in_pieces(name, tmp, 3, count, [&](uint32_t first, uint32_t n, const Floats& t) {
    Gather(dst[first], src, permuted_offsets<T>(t, p, begin + first, n), 0, n);
  });
}
template <typename T>
OPKIT_INLINE void permute(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& tmp, const Permutation& p) {
  permute_range(name, dst, src, tmp, p, 0, p.total());
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_PERMUTE_H_
