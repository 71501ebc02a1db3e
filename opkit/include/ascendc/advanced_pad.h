// Pad and UnPad: rows get columns up to a multiple of 32 bytes, or lose them. (Pages of those
// names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_PAD_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_PAD_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_broadcast.h"
#include "opkit/include/ascendc/advanced_permute.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// Columns.
struct PadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};
struct UnPadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
};

namespace detail {

#define OPKIT_PAD_TYPES(name)                                                   \
  static_assert(one_of<T, int16_t, uint16_t, half, int32_t, uint32_t, float>(), \
                name " exists for 16-bit and 32-bit numbers only: use ReinterpretCast")

// dst[i][begin ... end) = value for every row.
template <typename T>
OPKIT_INLINE void fill_columns(const LocalTensor<T>& dst, uint32_t rows, uint32_t pitch,
                               uint32_t begin, uint32_t end, T value) {
  constexpr uint32_t kLanes = repeat_elements<T>();
  while (begin < end) {
    const uint32_t base = begin / block_lanes<T>() * block_lanes<T>();
    const uint32_t stop = end - base < kLanes ? end - base : kLanes;
    uint64_t mask[2] = {0, 0};
    for (uint32_t lane = begin - base; lane < stop; ++lane)
      mask[lane / 64] |= uint64_t{1} << (lane % 64);
    for (uint32_t i = 0; i < rows; ++i) Duplicate(dst[i * pitch + base], value, mask, 1, 1, 8);
    begin = base + stop;
  }
  ResetMask();
}

template <typename T>
OPKIT_INLINE void pad(const LocalTensor<T>& dst, const LocalTensor<T>& src, const PadParams& p,
                      const LocalTensor<uint8_t>& tmp, const PadTiling& tiling) {
  OPKIT_PAD_TYPES("Pad");
  const uint32_t rows = tiling.srcHeight, width = tiling.srcWidth, real = tiling.srcOriWidth;
  const uint32_t pitch = align_to(width, block_lanes<T>()), end = p.leftPad + real + p.rightPad;
  if (rows == 0 || real == 0 || real > width)
    return refuse_shape("Pad", "the tiling must hold a height, a width and an original width",
                        real);
  if (end > pitch)
    return refuse_shape("Pad", "the padded width must fit the width rounded up to 32 bytes", end);
  if (pitch == width && p.leftPad != 0)
    return refuse_shape("Pad", "rows of whole 32 bytes are padded at the right only", p.leftPad);
  if (pitch == width) {
    copy_elements(dst, src, rows * pitch);
  } else {
    const Permutation moves = {{{pitch, 1}, {rows, width}}, 2, {}, 0, rows * width, p.leftPad};
    permute("Pad", dst, src, tmp, moves);
  }
  const auto value = static_cast<T>(p.padValue);
  fill_columns(dst, rows, pitch, 0, p.leftPad, value);
  fill_columns(dst, rows, pitch, p.leftPad + real, end, value);
}

template <typename T>
OPKIT_INLINE void unpad(const LocalTensor<T>& dst, const LocalTensor<T>& src, const UnPadParams& p,
                        const LocalTensor<uint8_t>& tmp, const UnPadTiling& tiling) {
  OPKIT_PAD_TYPES("UnPad");
  const uint32_t rows = tiling.srcHeight, width = tiling.srcWidth;
  if (!is_whole_row<T>("UnPad", width)) return;
  if (p.rightPad >= block_lanes<T>())
    return refuse_shape("UnPad", "rightPad must be from 1 to the columns of 32 bytes less 1",
                        p.rightPad);
  if (p.rightPad == 0) {  // the page excludes it; there is nothing to take off
    core()->isa->fault(core(), "EK1805",
                       "UnPad: rightPad is 0, which its page excludes, so the rows are copied as "
                       "they are; leave the call out for rows of whole 32 bytes");
    return copy_elements(dst, src, rows * width);
  }
  const Permutation moves = {{{width - p.rightPad, 1}, {rows, width}}, 2, {}, 0, rows * width};
  permute("UnPad", dst, src, tmp, moves);
}
#undef OPKIT_PAD_TYPES

}  // namespace detail

#define OPKIT_PADS(buffer, memory)                                                            \
  template <typename T>                                                                       \
  OPKIT_INLINE void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,     \
                        const PadParams& padParams, buffer const PadTiling& tiling) {         \
    const detail::LibraryCall in_library("Pad");                                              \
    detail::pad(dstTensor, srcTensor, padParams, memory, tiling);                             \
  }                                                                                           \
  template <typename T>                                                                       \
  OPKIT_INLINE void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,   \
                          const UnPadParams& unPadParams, buffer const UnPadTiling& tiling) { \
    const detail::LibraryCall in_library("UnPad");                                            \
    detail::unpad(dstTensor, srcTensor, unPadParams, memory, tiling);                         \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_PADS(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_PADS(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_PADS

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_PAD_H_
