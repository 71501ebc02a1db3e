// TransData between NCDHW and NDC1HWC0 or FRACTAL_Z_3D, and the layouts that describe its operands.
// (Page "TransData".) C0 and N0 are 16; the H * W
// elements of an NCDHW plane are padded to a multiple of 32 bytes.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSDATA_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSDATA_H_

#include "opkit/include/ascendc/advanced_config.h"
#include "opkit/include/ascendc/advanced_permute.h"
#include "opkit/include/ascendc/layout.h"
#include "opkit/include/ascendc/vector_duplicate.h"

namespace AscendC {

template <typename T, typename U>
struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

namespace detail {

// N, C, D and H * W, and the plane with its padding.
struct Volume {
  uint32_t n, c, d, hw, plane;

  uint32_t c1() const { return (c + 15) / 16; }
  uint32_t n1() const { return (n + 15) / 16; }
};

template <typename LayoutType>
OPKIT_INLINE Volume ncdhw_of(const LayoutType& layout) {
  const auto& s = layout.GetShape();
  static_assert(std::tuple_size<std::decay_t<decltype(s)>>::value == 5,
                "TransData: the shape of NCDHW has five dims");
  const auto hw = static_cast<uint32_t>(std::get<3>(s) * std::get<4>(s));
  return {static_cast<uint32_t>(std::get<0>(s)), static_cast<uint32_t>(std::get<1>(s)),
          static_cast<uint32_t>(std::get<2>(s)), hw, (hw + 15) / 16 * 16};
}

// Returns the moves of the four scenes; the packed layout is NDC1HWC0 or FRACTAL_Z_3D.
OPKIT_INLINE Permutation pack_moves(const Volume& v, bool fractal) {
  const uint32_t channel = v.d * v.plane, batch = v.c * channel, source = v.n * batch;
  if (fractal)
    return {
        {{16, channel}, {16 * v.n1(), batch}, {v.hw, 1}, {v.c1(), 16 * channel}, {v.d, v.plane}},
        5,
        {},
        0,
        source};
  return {{{16, channel}, {v.hw, 1}, {v.c1(), 16 * channel}, {v.d, v.plane}, {v.n, batch}},
          5,
          {},
          0,
          source};
}
OPKIT_INLINE Permutation unpack_moves(const Volume& v, bool fractal) {
  const uint32_t step = fractal ? v.n1() * 256 : 16;  // separates the elements of a plane
  const uint32_t depth = v.c1() * v.hw * step;
  const uint32_t batch = fractal ? 16 : v.d * depth;
  const uint32_t source = fractal ? v.d * depth : v.n * batch;
  return {{{v.plane, step}, {v.d, depth}, {v.c, 1, true}, {v.n, batch}},
          4,
          {{16, v.hw * step}},
          1,
          source};
}

// Channels behind the last one become 0, and so do batches of FRACTAL_Z_3D.
template <typename T>
OPKIT_INLINE void clear_padding(const LocalTensor<T>& dst, const Volume& v, bool fractal) {
  const uint32_t rows = fractal ? 16 * v.n1() : 1;  // rows of 16 channels per element of a plane
  const uint32_t plane = v.hw * rows;
  const uint32_t outer = fractal ? v.d : v.n * v.d;
  if (v.c % 16 != 0) {
    uint64_t bits = 0;
    for (uint32_t lane = v.c % 16; lane < 16; ++lane) bits |= uint64_t{0x0001000100010001} << lane;
    const uint64_t mask[2] = {bits, bits};
    const uint64_t tail = (uint64_t{1} << 16) - (uint64_t{1} << v.c % 16), one[2] = {tail, 0};
    for (uint32_t i = 0; i < outer; ++i) {
      const LocalTensor<T> last = dst[((i + 1) * v.c1() - 1) * plane * 16];
      uint32_t row = 0;
      for (; row + 8 <= plane; row += 8) Duplicate(last[row * 16], T(0), mask, 1, 1, 8);
      for (; row < plane; ++row) Duplicate(last[row * 16], T(0), one, 1, 1, 8);
    }
    ResetMask();
  }
  if (!fractal || v.n % 16 == 0) return;
  const uint32_t missing = rows - v.n;
  for (uint32_t i = 0; i < v.d * v.c1() * v.hw; ++i)
    Duplicate(dst[(i * rows + v.n) * 16], T(0), static_cast<int32_t>(missing * 16));
}

template <const TransDataConfig& config, typename T, typename U, typename S>
OPKIT_INLINE void trans_data(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                             const LocalTensor<uint8_t>& tmp, const TransDataParams<U, S>& p) {
  static_assert(one_of<T, int16_t, uint16_t, half, bfloat16_t>(),
                "TransData exists for 16-bit types only: use ReinterpretCast");
  constexpr DataFormat kFrom = config.srcFormat, kTo = config.dstFormat;
  constexpr bool kPack = kFrom == DataFormat::NCDHW;
  constexpr DataFormat kPacked = kPack ? kTo : kFrom;
  static_assert((kPack || kTo == DataFormat::NCDHW) &&
                    (kPacked == DataFormat::NDC1HWC0 || kPacked == DataFormat::FRACTAL_Z_3D),
                "TransData converts between NCDHW and NDC1HWC0 or FRACTAL_Z_3D");
  constexpr bool kFractal = kPacked == DataFormat::FRACTAL_Z_3D;
  const LocalTensor<uint16_t> to = dst.template ReinterpretCast<uint16_t>();
  const LocalTensor<uint16_t> from = src.template ReinterpretCast<uint16_t>();
  const auto move = [&](const Permutation& moves) {
    const Extent all = extent(to, moves.total()), source = extent(from, moves.source);
    if (excludes_any("TransData", tmp, all, source)) return false;
    permute("TransData", to, from, tmp, moves);
    return true;
  };
  if constexpr (kPack) {
    const Volume v = ncdhw_of(p.srcLayout);
    if (move(pack_moves(v, kFractal))) clear_padding(to, v, kFractal);
  } else {
    move(unpack_moves(ncdhw_of(p.dstLayout), kFractal));
  }
}

}  // namespace detail

template <const TransDataConfig& config, typename T, typename U, typename S>
OPKIT_INLINE void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                            const LocalTensor<uint8_t>& sharedTmpBuffer,
                            const TransDataParams<U, S>& params) {
  const detail::LibraryCall in_library("TransData");
  detail::trans_data<config>(dstTensor, srcTensor, sharedTmpBuffer, params);
}
template <const TransDataConfig& config, typename T, typename U, typename S>
OPKIT_INLINE void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                            const TransDataParams<U, S>& params) {
  const detail::LibraryCall in_library("TransData");
  detail::trans_data<config>(dstTensor, srcTensor, detail::rest_of_ub(), params);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_TRANSDATA_H_
