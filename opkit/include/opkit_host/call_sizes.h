// Get<Name>MaxMinTmpSize and the tilings of calls whose temporary buffer does not follow from one
// shape and one type: reductions of an axis, quantisation, filters, changes of layout, CumSum, and
// helpers with an argument list of their own. (Vendor's pages of those names.) The sizes are what
// opkit's calls need; do not store them in a kernel.
#ifndef OPKIT_HOST_CALL_SIZES_H_
#define OPKIT_HOST_CALL_SIZES_H_

#include "graph/types.h"
#include "opkit/include/ascendc/advanced_config.h"
#include "opkit_host/advanced_tiling.h"
#include "opkit_host/buffer_sizes.h"
#include "opkit_host/row_tilings.h"
#include "tiling/platform/platform_ascendc.h"

namespace opkit_host {

inline uint32_t elements_of(const ge::Shape& shape) {
  return static_cast<uint32_t>(std::max<int64_t>(shape.GetShapeSize(), 1));
}
// `bytes` per element, in units of `unit` elements.
inline void piece_sizes(uint32_t elements, uint32_t bytes, uint32_t unit, uint32_t& max,
                        uint32_t& min) {
  min = bytes * unit;
  max = (elements + unit - 1) / unit * min;
}
// Numbers of a mask that are compared, 256 bytes of them at a time, into bits.
inline void mask_sizes(uint32_t elements, uint32_t unit, uint32_t& max, uint32_t& min) {
  min = 256 + 32;
  max = (elements + unit - 1) / unit * min;
}
// Sets the buffer sizes of a reduction of a matrix along its last or first axis.
inline void axis_sizes(const ge::Shape& shape, ge::DataType type, uint32_t& max, uint32_t& min) {
  const RowShape s(shape);
  const uint32_t narrow = type == ge::DT_UINT8 ? 2 * s.rows + 5 * s.length : s.length / 2;
  min = max = (narrow + 1024 + 31) / 32 * 32;
}

}  // namespace opkit_host

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

#define OPKIT_AXIS_SIZE(Name)                                                                  \
  inline void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const ge::DataType dataType, \
                                       ReducePattern, bool, bool, uint32_t& maxValue,          \
                                       uint32_t& minValue) {                                   \
    opkit_host::axis_sizes(srcShape, dataType, maxValue, minValue);                            \
  }
OPKIT_AXIS_SIZE(ReduceSum)
OPKIT_AXIS_SIZE(ReduceMax)
OPKIT_AXIS_SIZE(ReduceMin)
OPKIT_AXIS_SIZE(ReduceMean)
OPKIT_AXIS_SIZE(ReduceProd)
OPKIT_AXIS_SIZE(ReduceAll)
OPKIT_AXIS_SIZE(ReduceAny)
#undef OPKIT_AXIS_SIZE

inline void GetReduceXorSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                         uint32_t& maxValue, uint32_t& minValue) {
  minValue = 1024;
  maxValue = minValue + opkit_host::elements_of(srcShape) * 8;
}

// n: elements of a row.
inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool,
                                uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = (n / 32 * typeSize + 512 + 31) / 32 * 32;
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t, const uint32_t, const bool,
                                 uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = ((n + n / 32) * 4 + 512 + 31) / 32 * 32;
}

inline void GetAscendQuantMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t,
                                        uint32_t& maxValue, uint32_t& minValue) {
  opkit_host::piece_sizes(opkit_host::elements_of(srcShape), 6, 64, maxValue, minValue);
}
inline void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  maxLiveNodeCount = 3;
  extraBuf = 0;
}
inline void GetAscendDequantMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t,
                                          uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = (opkit_host::RowShape(srcShape).length * 8 + 64 + 31) / 32 * 32;
}
inline void GetAscendDequantTmpBufferFactorSize(const ge::Shape&, uint32_t& maxLiveNodeCount,
                                                uint32_t& extraBuf) {
  maxLiveNodeCount = 2;
  extraBuf = 64;
}
// Transposed, offsets and scales are expanded to a row of the source.
inline void GetAscendAntiQuantMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape&,
                                            bool isTranspose, ge::DataType, ge::DataType,
                                            uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t row = opkit_host::RowShape(srcShape).length;
  opkit_host::piece_sizes(row, 8, 64, maxValue, minValue);
  const uint32_t expanded = isTranspose ? (row * 4 + 256 + 31) / 32 * 32 : 0;
  minValue += expanded;
  maxValue = std::max(maxValue + expanded, minValue);
}
inline uint32_t GetAscendAntiQuantMaxTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape,
                                             bool isTranspose, ge::DataType inputDataType,
                                             ge::DataType outputDataType) {
  uint32_t max = 0, min = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType,
                                  max, min);
  return max;
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape,
                                             bool isTranspose, ge::DataType inputDataType,
                                             ge::DataType outputDataType) {
  uint32_t max = 0, min = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType,
                                  max, min);
  return min;
}
inline void GetAscendAntiQuantTmpBufferFactorSize(const ge::Shape& srcShape, const ge::Shape&,
                                                  bool isTranspose, ge::DataType, ge::DataType,
                                                  uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  maxLiveNodeCount = 8;
  extraBuf = isTranspose ? opkit_host::RowShape(srcShape).length * 4 + 256 : 0;
}

inline void GetDropOutMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                    uint32_t& maxValue, uint32_t& minValue) {
  opkit_host::mask_sizes(opkit_host::elements_of(srcShape), 128, maxValue, minValue);
}
inline uint32_t GetDropOutMaxTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t max = 0, min = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, max, min);
  return max;
}
inline uint32_t GetDropOutMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t max = 0, min = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, max, min);
  return min;
}

#define OPKIT_SELECT_SIZE(Name)                                                                 \
  inline void Get##Name##MaxMinTmpSize(const ge::Shape&, const ge::Shape&, const uint32_t,      \
                                       const ge::Shape& maskShape, const uint32_t maskTypeSize, \
                                       const bool, uint32_t& maxValue, uint32_t& minValue) {    \
    opkit_host::mask_sizes(opkit_host::elements_of(maskShape), maskTypeSize == 4 ? 64 : 128,    \
                           maxValue, minValue);                                                 \
  }                                                                                             \
  inline uint32_t Get##Name##MaxTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, \
                                        const uint32_t srcTypeSize, const ge::Shape& maskShape, \
                                        const uint32_t maskTypeSize, const bool isReuseMask) {  \
    uint32_t max = 0, min = 0;                                                                  \
    Get##Name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,        \
                             isReuseMask, max, min);                                            \
    return max;                                                                                 \
  }                                                                                             \
  inline uint32_t Get##Name##MinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, \
                                        const uint32_t srcTypeSize, const ge::Shape& maskShape, \
                                        const uint32_t maskTypeSize, const bool isReuseMask) {  \
    uint32_t max = 0, min = 0;                                                                  \
    Get##Name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,        \
                             isReuseMask, max, min);                                            \
    return min;                                                                                 \
  }
OPKIT_SELECT_SIZE(Select)
OPKIT_SELECT_SIZE(SelectWithBytesMask)
#undef OPKIT_SELECT_SIZE

inline void GetCumSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool isLastAxis,
                                   const bool, uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t inner = opkit_host::RowShape(srcShape).length;
  minValue = maxValue = inner * (isLastAxis ? 64 : 8) + 1024;
}

inline void GetPadMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, uint32_t& maxValue,
                                uint32_t& minValue) {
  opkit_host::piece_sizes(opkit_host::elements_of(srcShape), 12, 64, maxValue, minValue);
}
template <typename Tiling>
inline void PadTilingFunc(const ge::Shape srcShape, const ge::Shape oriSrcShape, const uint32_t,
                          const uint32_t, Tiling& tiling) {
  const opkit_host::RowShape s(srcShape);
  tiling::PadTiling t;
  t.srcHeight = s.rows;
  t.srcWidth = s.length;
  t.srcOriWidth = opkit_host::RowShape(oriSrcShape).length;
  opkit_host::assign(t, tiling);
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                  const ge::Shape& srcShape, const uint32_t typeSize,
                                  uint32_t& maxValue, uint32_t& minValue) {
  GetPadMaxMinTmpSize(srcShape, typeSize, maxValue, minValue);
}
template <typename Tiling>
inline void UnPadTilingFunc(const ge::Shape srcShape, const uint32_t, const uint32_t,
                            Tiling& tiling) {
  const opkit_host::RowShape s(srcShape);
  tiling::UnPadTiling t;
  t.srcHeight = s.rows;
  t.srcWidth = s.length;
  opkit_host::assign(t, tiling);
}

// Shape: B, N, S, H / N; scene 7: H, W.
#define OPKIT_TRANSPOSE_HELPERS(Name)                                                            \
  inline void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,       \
                                       const uint32_t, uint32_t& maxValue, uint32_t& minValue) { \
    GetPadMaxMinTmpSize(srcShape, typeSize, maxValue, minValue);                                 \
  }                                                                                              \
  template <typename Tiling>                                                                     \
  inline void Get##Name##TilingInfo(const ge::Shape& srcShape, const uint32_t, const uint32_t,   \
                                    const uint32_t, Tiling& tiling) {                            \
    tiling::ConfusionTransposeTiling t;                                                          \
    uint32_t* const sizes[] = {&t.param0, &t.param1, &t.param2, &t.param3};                      \
    for (size_t i = 0; i < srcShape.GetDimNum() && i < 4; ++i)                                   \
      *sizes[i] = static_cast<uint32_t>(srcShape.GetDim(i));                                     \
    opkit_host::assign(t, tiling);                                                               \
  }
OPKIT_TRANSPOSE_HELPERS(Transpose)
OPKIT_TRANSPOSE_HELPERS(ConfusionTranspose)
#undef OPKIT_TRANSPOSE_HELPERS
template <typename Tiling>
inline void GetConfusionTransposeOnlyTilingInfo(const ge::Shape& srcShape,
                                                const uint32_t stackBufferSize,
                                                const uint32_t typeSize, Tiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, 7, tiling);
}

inline bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                      const ge::Shape& srcShape, const ge::Shape& dstShape,
                                      const ge::DataType, const TransDataConfig&,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t elements =
      std::max(opkit_host::elements_of(srcShape), opkit_host::elements_of(dstShape));
  opkit_host::piece_sizes(elements, 12, 64, maxValue, minValue);
  return true;
}

// Normal mode: a row, two lists of its pairs, and its indices; small mode: the same for 32 rows,
// with one list.
inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner,
                                 const int32_t outter, const bool, const bool, enum TopKMode mode,
                                 const bool, const uint32_t dataTypeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
  if (inner < 32 || inner % 32 != 0 || outter < 1) {
    opkit_host::report(opkit_host::kError, "OPK-HOST-009",
                       opkit_host::format("TopK: inner must be a multiple of 32 and outter at "
                                          "least 1, they are %d and %d",
                                          inner, outter));
    return false;
  }
  const bool small = mode == TopKMode::TOPK_NSMALL;
  const uint32_t elements = static_cast<uint32_t>(small ? 32 * std::min(outter, 32) : inner);
  minValue = maxValue = elements * (dataTypeSize + (small ? 8 : 16) + 4) + 256;
  return true;
}
template <typename Tiling>
inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                           const int32_t inner, const int32_t outter, const int32_t k,
                           const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                           const bool isLargest, Tiling& topKTiling) {
  uint32_t max = 0, min = 0;
  if (k < 1 || k > inner ||
      !GetTopKMaxMinTmpSize(ascendcPlatform, inner, outter, false, isInitIndex, mode, isLargest,
                            dataTypeSize, max, min))
    return false;
  tiling::TopkTiling t;
  t.tmpLocalSize = static_cast<int32_t>(min);
  t.allDataSize = inner * outter;
  t.innerDataSize = inner;
  t.sortRepeat = static_cast<uint32_t>(inner / 32);
  t.kAlignFourBytes = (k + 7) / 8 * 8;
  t.kAlignTwoBytes = (k + 15) / 16 * 16;
  opkit_host::assign(t, topKTiling);
  return true;
}
// Concat needs no temporary buffer on this chip; Sort needs a second list of pairs.
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t,
                                 const uint32_t) {
  return 0;
}
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount,
                               const uint32_t) {
  return elemCount * 8;
}

inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape&,
                                      const ge::Shape& dstShape, uint32_t, const bool,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const opkit_host::RowShape s(dstShape);
  opkit_host::piece_sizes(opkit_host::elements_of(dstShape), 8, 64, maxValue, minValue);
  minValue += 2 * s.rows + 32;
  maxValue += 2 * s.rows + 32;
}
// These need no temporary buffer.
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = 0;
}
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = 0;
}

// Older and newer argument orders of helpers in buffer_sizes.h.
inline void GetGeluMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                 uint32_t& maxValue, uint32_t& minValue) {
  GetGeluMaxMinTmpSize(srcShape, typeSize, false, maxValue, minValue);
}
inline uint32_t GetGeluMaxTmpSize(const ge::Shape& srcShape, const uint32_t typeSize) {
  uint32_t max = 0, min = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, max, min);
  return max;
}
inline uint32_t GetGeluMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize) {
  uint32_t max = 0, min = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, max, min);
  return min;
}
inline void GetSwiGLUMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                   uint32_t& maxValue, uint32_t& minValue,
                                   const bool isReuseSource) {
  GetSwiGLUMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetSiluTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                           const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  GetSiluMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetSwishTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                            const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  GetSwishMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetRintMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                 const ge::Shape& srcShape, const uint32_t typeSize,
                                 const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
  GetRintMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                  const ge::Shape& srcShape, const uint32_t typeSize,
                                  const bool isReuseSource, uint32_t& maxValue,
                                  uint32_t& minValue) {
  GetRoundMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}

}  // namespace AscendC

#endif  // OPKIT_HOST_CALL_SIZES_H_
