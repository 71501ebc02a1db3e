// BilinearInterpolation: blocks that offsets pick, times weights, summed. (Page
// "BilinearInterpolation(ISASI)"; on arch 2201 it is a call of the library.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_BILINEAR_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_BILINEAR_H_

#include "opkit/include/ascendc/advanced_scratch.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {
namespace detail {

constexpr uint32_t kBilinearHalves = 128;  // counts the halves of one iteration: eight blocks

// Weight i of the flattened weights as a block of 16 equal halves, eight by eight.
OPKIT_INLINE void spread_weights(const LocalTensor<half>& blocks, const LocalTensor<half>& weights,
                                 uint32_t count) {
  constexpr uint32_t kMost = 254 * 8;  // weights of one call, whole blocks of 32 bytes
  for (uint32_t first = 0; first < count; first += kMost) {
    const uint32_t n = count - first < kMost ? count - first : kMost;
    Brcb(blocks[first * 16], weights[first], static_cast<uint8_t>((n + 7) / 8),
         BrcbRepeatParams(1, 8));
  }
}

// Iteration i of all: eight blocks of src0 at offsets 8i to 8i + 7, times weight i or weights 8i to
// 8i + 7. The products of a row of hRepeat iterations are added from the first to the last.
template <typename T, typename Mask>
OPKIT_INLINE void bilinear(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                           Mask mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                           uint16_t vROffset, uint8_t vRepeat,
                           const LocalTensor<uint8_t>& sharedTmpBuffer) {
  static_assert(std::is_same<PrimT<T>, half>::value,
                "BilinearInterpolation exists for half only: Cast first");
  const uint32_t iterations = uint32_t{hRepeat} * vRepeat;
  if (iterations == 0) return;
  if (__builtin_expect(dstBlkStride > 255, 0))
    return refuse_shape("BilinearInterpolation", "dstBlkStride is at most 255", dstBlkStride);
  Scratch scratch("BilinearInterpolation", sharedTmpBuffer);
  const uint32_t weights = repeatMode ? 8 * iterations : iterations;
  const LocalTensor<half> picked = scratch.take<half>(kBilinearHalves);
  const LocalTensor<half> spread = scratch.take<half>((weights + 7) / 8 * 8 * 16);
  spread_weights(spread, src1, weights);
  PipeBarrier<PIPE_V>();
  const BinaryRepeatParams times(static_cast<uint8_t>(dstBlkStride), 1, repeatMode, 8, 8, 8);
  const BinaryRepeatParams products(1, 1, repeatMode, 8, 8, 8);
  const BinaryRepeatParams sums(static_cast<uint8_t>(dstBlkStride),
                                static_cast<uint8_t>(dstBlkStride), 1, 8, 8, 8);
  for (uint32_t i = 0; i < iterations; ++i) {
    const LocalTensor<half> row = dst[i / hRepeat * vROffset];
    const LocalTensor<half> weight = spread[i * (repeatMode ? kBilinearHalves : 16)];
    Gatherb(picked, src0, src0Offset[i * 8], 1, GatherRepeatParams(1, 8));
    PipeBarrier<PIPE_V>();
    if (i % hRepeat == 0) {
      Mul(row, picked, weight, mask, 1, times);
    } else {
      Mul(picked, picked, weight, mask, 1, products);
      PipeBarrier<PIPE_V>();
      Add(row, row, picked, mask, 1, sums);
    }
    PipeBarrier<PIPE_V>();
  }
}

}  // namespace detail

template <typename T>
OPKIT_INLINE void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                        const LocalTensor<uint32_t>& src0Offset,
                                        const LocalTensor<T>& src1, uint64_t mask[],
                                        uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                                        uint16_t vROffset, uint8_t vRepeat,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer) {
  const detail::LibraryCall in_library("BilinearInterpolation");
  detail::bilinear(dst, src0, src0Offset, src1, static_cast<const uint64_t*>(mask), hRepeat,
                   repeatMode, dstBlkStride, vROffset, vRepeat, sharedTmpBuffer);
}
template <typename T>
OPKIT_INLINE void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                        const LocalTensor<uint32_t>& src0Offset,
                                        const LocalTensor<T>& src1, uint64_t mask, uint8_t hRepeat,
                                        bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset,
                                        uint8_t vRepeat,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer) {
  const detail::LibraryCall in_library("BilinearInterpolation");
  detail::bilinear(dst, src0, src0Offset, src1, mask, hRepeat, repeatMode, dstBlkStride, vROffset,
                   vRepeat, sharedTmpBuffer);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_BILINEAR_H_
