// AscendAntiQuant: (src + offset) * scale, one pair for the tensor or one per channel and group.
// (Page "AscendAntiQuant".) To half it computes in half, to bfloat16_t in float.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_ANTIQUANT_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_ANTIQUANT_H_

#include "opkit/include/ascendc/advanced_quant.h"

namespace AscendC {
namespace detail {

// One row of n elements; offset and scale are tensors of n elements, or offset is null.
template <typename S>
OPKIT_INLINE void antiquant_row(const LocalTensor<half>& dst, const LocalTensor<S>& src,
                                const LocalTensor<half>* offset, const LocalTensor<half>& scale,
                                const LocalTensor<uint8_t>&, uint32_t count) {
  const auto n = static_cast<int32_t>(count);
  Cast(dst, src, RoundMode::CAST_NONE, count);
  if (offset) Add(dst, dst, *offset, n);
  Mul(dst, dst, scale, n);
}
template <typename S>
OPKIT_INLINE void antiquant_row(const LocalTensor<bfloat16_t>& dst, const LocalTensor<S>& src,
                                const LocalTensor<bfloat16_t>* offset,
                                const LocalTensor<bfloat16_t>& scale,
                                const LocalTensor<uint8_t>& tmp, uint32_t count) {
  const uint32_t piece = quant_piece("AscendAntiQuant", tmp, 8);
  if (piece == 0) return;
  const LocalTensor<float> x = tmp.ReinterpretCast<float>(), t = x[piece];
  for (uint32_t first = 0; first < count; first += piece) {
    const uint32_t rest = count - first < piece ? count - first : piece;
    const auto n = static_cast<int32_t>(rest);
    Cast(t.ReinterpretCast<half>(), src[first], RoundMode::CAST_NONE, rest);
    Cast(x, t.ReinterpretCast<half>(), RoundMode::CAST_NONE, rest);
    if (offset) {
      Cast(t, (*offset)[first], RoundMode::CAST_NONE, rest);
      Add(x, x, t, n);
    }
    Cast(t, scale[first], RoundMode::CAST_NONE, rest);
    Mul(x, x, t, n);
    Cast(dst[first], x, RoundMode::CAST_RINT, rest);
  }
}

template <typename S>
OPKIT_INLINE void antiquant_all(const LocalTensor<half>& dst, const LocalTensor<S>& src,
                                const half* offset, half scale, const LocalTensor<uint8_t>&) {
  const uint32_t count = src.GetSize();
  const auto n = static_cast<int32_t>(count);
  if (excludes_overlap("AscendAntiQuant", extent(dst, count), extent(src, count))) return;
  Cast(dst, src, RoundMode::CAST_NONE, count);
  if (offset) Adds(dst, dst, *offset, n);
  Muls(dst, dst, scale, n);
}
template <typename S>
OPKIT_INLINE void antiquant_all(const LocalTensor<bfloat16_t>& dst, const LocalTensor<S>& src,
                                const bfloat16_t* offset, bfloat16_t scale,
                                const LocalTensor<uint8_t>& tmp) {
  const uint32_t piece = quant_piece("AscendAntiQuant", tmp, 6), count = src.GetSize();
  if (piece == 0 || excludes_overlap("AscendAntiQuant", extent(dst, count), extent(src, count)))
    return;
  const LocalTensor<float> x = tmp.ReinterpretCast<float>();
  const LocalTensor<half> t = x[piece].ReinterpretCast<half>();
  for (uint32_t first = 0; first < count; first += piece) {
    const uint32_t rest = count - first < piece ? count - first : piece;
    const auto n = static_cast<int32_t>(rest);
    Cast(t, src[first], RoundMode::CAST_NONE, rest);
    Cast(x, t, RoundMode::CAST_NONE, rest);
    if (offset) Adds(x, x, offset->wide(), n);
    Muls(x, x, scale.wide(), n);
    Cast(dst[first], x, RoundMode::CAST_RINT, rest);
  }
}

// Rows and columns of a tensor of offsets or scales.
struct ChannelShape {
  uint32_t height, width;
};
template <typename D>
OPKIT_INLINE ChannelShape channel_shape(const LocalTensor<D>& tensor, uint32_t height,
                                        uint32_t width) {
  if (height != 0 && width != 0) return {height, width};
  const ShapeInfo info = tensor.GetShapeInfo();
  return info.shapeDim >= 2 ? ChannelShape{info.shape[0], info.shape[1]} : ChannelShape{0, 0};
}

template <bool isTranspose, typename S, typename D>
OPKIT_INLINE void antiquant(const LocalTensor<D>& dst, const LocalTensor<S>& src,
                            const LocalTensor<D>* offset, const LocalTensor<D>& scale,
                            const LocalTensor<uint8_t>& tmp, uint32_t k,
                            const AntiQuantShapeInfo& info) {
  const ChannelShape s = channel_shape(scale, info.scaleHeight, info.scaleWidth);
  if (offset) {
    const ChannelShape o = channel_shape(*offset, info.offsetHeight, info.offsetWidth);
    if (o.height != s.height || o.width != s.width)
      return refuse_shape("AscendAntiQuant", "offset and scale must have the same shape", o.height);
  }
  const uint32_t groups = isTranspose ? s.width : s.height;
  if (groups == 0 || k == 0 || k % groups != 0)
    return refuse_shape("AscendAntiQuant",
                        "scale needs a shape (shapeInfo or SetShapeInfo) whose groups divide k",
                        groups);
  const uint32_t all = k * (isTranspose ? s.height : s.width), pairs = s.height * s.width;
  if (excludes_overlap("AscendAntiQuant", extent(dst, all), extent(src, all), extent(scale, pairs),
                       offset ? extent(*offset, pairs) : Extent{}))
    return;
  const uint32_t size = k / groups;
  if constexpr (!isTranspose) {
    for (uint32_t i = 0; i < k; ++i) {
      const uint32_t at = i * s.width, group = i / size * s.width;
      const LocalTensor<D> row = offset ? (*offset)[group] : scale[group];
      antiquant_row(dst[at], src[at], offset ? &row : nullptr, scale[group], tmp, s.width);
    }
  } else {
    Scratch scratch("AscendAntiQuant", tmp);
    const LocalTensor<D> a = scratch.take<D>(k), b = scratch.take<D>(k);
    const LocalTensor<uint8_t> rest = scratch.take<uint8_t>(scratch.left() / 32 * 32);
    const Permutation moves = {
        {{size, 0}, {groups, 1}, {s.height, groups}}, 3, {}, 0, s.height * groups};
    for (uint32_t i = 0; i < s.height; ++i) {
      if (offset) permute_range("AscendAntiQuant", a, *offset, rest, moves, i * k, k);
      permute_range("AscendAntiQuant", b, scale, rest, moves, i * k, k);
      antiquant_row(dst[i * k], src[i * k], offset ? &a : nullptr, b, rest, k);
    }
  }
}

#define OPKIT_ANTIQUANT_TYPES                                                  \
  static_assert(detail::one_of<InputDataType, int8_t, int4b_t>(),              \
                "AscendAntiQuant takes int8_t and int4b_t only on this chip"); \
  static_assert(detail::one_of<OutputDataType, half, bfloat16_t>(),            \
                "AscendAntiQuant writes half and bfloat16_t only")

}  // namespace detail

#define OPKIT_ANTIQUANT(buffer, memory)                                                    \
  template <typename InputDataType, typename OutputDataType, bool isTranspose>             \
  OPKIT_INLINE void AscendAntiQuant(                                                       \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,       \
      const LocalTensor<OutputDataType>& offset, const LocalTensor<OutputDataType>& scale, \
      buffer const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {                 \
    const detail::LibraryCall in_library("AscendAntiQuant");                               \
    OPKIT_ANTIQUANT_TYPES;                                                                 \
    detail::antiquant<isTranspose>(dst, src, &offset, scale, memory, k, shapeInfo);        \
  }                                                                                        \
  template <typename InputDataType, typename OutputDataType, bool isTranspose>             \
  OPKIT_INLINE void AscendAntiQuant(                                                       \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,       \
      const OutputDataType offset, const OutputDataType scale, buffer const uint32_t k,    \
      const AntiQuantShapeInfo& shapeInfo = {}) {                                          \
    const detail::LibraryCall in_library("AscendAntiQuant");                               \
    OPKIT_ANTIQUANT_TYPES;                                                                 \
    (void)k;                                                                               \
    (void)shapeInfo;                                                                       \
    detail::antiquant_all(dst, src, &offset, scale, memory);                               \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_ANTIQUANT(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_ANTIQUANT(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_ANTIQUANT

template <typename InputDataType, typename OutputDataType, bool isTranspose>
OPKIT_INLINE void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                                  const LocalTensor<InputDataType>& src,
                                  const LocalTensor<OutputDataType>& scale,
                                  const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                                  const AntiQuantShapeInfo& shapeInfo = {}) {
  const detail::LibraryCall in_library("AscendAntiQuant");
  OPKIT_ANTIQUANT_TYPES;
  const LocalTensor<OutputDataType>* none = nullptr;
  detail::antiquant<isTranspose>(dst, src, none, scale, sharedTmpBuffer, k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
OPKIT_INLINE void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                                  const LocalTensor<InputDataType>& src, const OutputDataType scale,
                                  const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                                  const AntiQuantShapeInfo& shapeInfo = {}) {
  const detail::LibraryCall in_library("AscendAntiQuant");
  OPKIT_ANTIQUANT_TYPES;
  (void)k;
  (void)shapeInfo;
  const OutputDataType* none = nullptr;
  detail::antiquant_all(dst, src, none, scale, sharedTmpBuffer);
}
#undef OPKIT_ANTIQUANT_TYPES

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_ANTIQUANT_H_
