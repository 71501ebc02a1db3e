// Transpose between layouts, older name ConfusionTranspose. (Page "Transpose" of the advanced API,
// scenes 1 to 7.) B, N, S, H are the sizes of the page, hn = H / N; NZ matrices keep 16 columns
// together. Columns of a row of hn are padded to a multiple of 16.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSPOSE_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSPOSE_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_permute.h"
#include "opkit/include/ascendc/vector_transpose.h"

namespace AscendC {
namespace detail {

struct BnshShape {
  uint32_t b, n, s, hn;

  uint32_t h() const { return n * hn; }
  uint32_t padded() const { return (hn + 15) / 16 * 16; }
};

inline Permutation confusion(TransposeType type, const BnshShape& x) {
  const uint32_t hp = x.padded(), batch = x.n * hp * x.s, np = (x.n + 15) / 16 * 16;
  const Fold nz{16, 16 * x.s};
  switch (type) {
    case TransposeType::TRANSPOSE_NZ2ND_0213:
      return {{{hp, 1, true}, {x.n, hp * x.s}, {x.s, 16}, {x.b, batch}}, 4, {nz}, 1, x.b * batch};
    case TransposeType::TRANSPOSE_NZ2NZ_0213:
      return {{{16, 1, true}, {np, hp * x.s}, {hp / 16, 16, true}, {x.s, 16}, {x.b, batch}},
              5,
              {nz},
              1,
              x.b * batch};
    case TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N:
      return {
          {{16, 1, true}, {x.s, 16}, {hp / 16, 16, true}, {x.n, x.hn, true}, {x.b, x.h() * x.s}},
          5,
          {nz},
          1,
          x.b * x.h() * x.s};
    case TransposeType::TRANSPOSE_NZ2ND_012_WITH_N:
      return {{{hp, 1, true}, {x.s, 16}, {x.n, x.hn, true}, {x.b, x.h() * x.s}},
              4,
              {nz},
              1,
              x.b * x.h() * x.s};
    case TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N:
      return {{{x.h(), 1, true}, {x.s, 16}, {x.b, batch}}, 3, {{x.hn, hp}, nz}, 2, x.b * batch};
    default:  // TRANSPOSE_NZ2NZ_012_WITHOUT_N
      return {{{16, 1, true}, {x.s, 16}, {x.h() / 16, 16, true}, {x.b, batch}},
              4,
              {{x.hn, hp}, nz},
              2,
              x.b * batch};
  }
}

template <typename T>
OPKIT_INLINE void confusion_transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const LocalTensor<uint8_t>& tmp, TransposeType type,
                                      const ConfusionTransposeTiling& tiling) {
  static_assert(one_of<T, int16_t, uint16_t, half, int32_t, uint32_t, float>(),
                "Transpose exists for 16-bit and 32-bit numbers only: use ReinterpretCast");
  if (type == TransposeType::TRANSPOSE_ND2ND_ONLY) {
    const uint32_t h = tiling.param0, w = tiling.param1;
    return permute("Transpose", dst, src, tmp, {{{h, w}, {w, 1}}, 2, {}, 0, h * w});
  }
  const BnshShape x{tiling.param0, tiling.param1, tiling.param2, tiling.param3};
  if (type < TransposeType::TRANSPOSE_NZ2ND_0213 || type > TransposeType::TRANSPOSE_ND2ND_ONLY)
    return refuse_shape("Transpose", "transposeType must be one of the scenes 1 to 7",
                        static_cast<uint8_t>(type));
  if (x.b * x.n * x.s * x.hn == 0 || x.s % 16 != 0)
    return refuse_shape("Transpose", "B, N, S and H / N must not be 0, and S a multiple of 16",
                        x.s);
  if (type > TransposeType::TRANSPOSE_NZ2NZ_0213 && x.h() % 16 != 0)
    return refuse_shape("Transpose", "H must be a multiple of 16", x.h());
  permute("Transpose", dst, src, tmp, confusion(type, x));
}

}  // namespace detail

#define OPKIT_CONFUSION(Name)                                                                      \
  template <typename T>                                                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, TransposeType transposeType, \
                         const ConfusionTransposeTiling& tiling) {                                 \
    const detail::LibraryCall in_library(#Name);                                                   \
    detail::confusion_transpose(dst, src, sharedTmpBuffer, transposeType, tiling);                 \
  }                                                                                                \
  template <typename T>                                                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         TransposeType transposeType, const ConfusionTransposeTiling& tiling) {    \
    const detail::LibraryCall in_library(#Name);                                                   \
    detail::confusion_transpose(dst, src, detail::rest_of_ub(), transposeType, tiling);            \
  }
OPKIT_CONFUSION(Transpose)
OPKIT_CONFUSION(ConfusionTranspose)
#undef OPKIT_CONFUSION

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSPOSE_H_
