// The tilings of calls that work on rows: SoftMax and LayerNorm. Vendor's pages "SoftMax Tiling",
// "LayerNorm Tiling"; the numbers follow from the sizes and are legal, not the vendor's own.
#ifndef OPKIT_HOST_ROW_TILINGS_H_
#define OPKIT_HOST_ROW_TILINGS_H_

#include <algorithm>
#include <cstdint>

#include "graph/tensor.h"
#include "opkit_host/advanced_tiling.h"
#include "opkit_host/buffer_sizes.h"
#include "opkit_host/report.h"

namespace opkit_host {

constexpr uint32_t kBlockBytes = 32;

// Rows and row length of a source: the last dim is the row.
struct RowShape {
  uint32_t rows = 1, length = 1;

  explicit RowShape(const ge::Shape& shape) {
    const size_t rank = shape.GetDimNum();
    if (rank == 0) return;
    length = static_cast<uint32_t>(std::max<int64_t>(shape.GetDim(rank - 1), 1));
    for (size_t i = 0; i + 1 < rank; ++i) rows *= static_cast<uint32_t>(shape.GetDim(i));
  }
};

// Returns the bytes of temporaries that one row of a softmax needs: the row, a block each for its
// maximum and its sum, and two to spread a statistic over a block.
inline uint32_t softmax_row_bytes(const RowShape& shape) {
  const uint32_t lanes = kBlockBytes / 4;
  return ((shape.length + lanes - 1) / lanes * lanes + 4 * lanes) * 4;
}

inline AscendC::tiling::SoftMaxTiling softmax_tiling(const ge::Shape& source, uint32_t type_size,
                                                     uint32_t workspace_bytes) {
  const RowShape shape(source);
  AscendC::tiling::SoftMaxTiling t;
  const uint32_t fitting = workspace_bytes / softmax_row_bytes(shape);
  if (fitting == 0) {
    report(kError, "OPK-HOST-009",
           format("a softmax row of %u elements needs %u bytes of temporary buffer, %u are there",
                  shape.length, softmax_row_bytes(shape), workspace_bytes));
    return t;
  }
  t.srcM = shape.rows;
  t.srcK = shape.length;
  t.srcSize = shape.rows * shape.length;
  t.outMaxM = shape.rows;
  t.outMaxK = kBlockBytes / type_size;
  t.outMaxSize = t.outMaxM * t.outMaxK;
  t.splitM = std::min(fitting, shape.rows);
  t.splitK = shape.length;
  t.splitSize = t.splitM * t.splitK;
  t.reduceM = t.splitM;
  t.reduceK = kBlockBytes / 4;
  t.reduceSize = t.reduceM * t.reduceK;
  t.rangeM = shape.rows / t.splitM;
  t.tailM = shape.rows % t.splitM;
  t.tailSplitSize = t.tailM * t.splitK;
  t.tailReduceSize = t.tailM * t.reduceK;
  return t;
}

// Float values that LayerNorm keeps per element of the source.
constexpr uint32_t kLayerNormBuffers = 3;

struct LayerNormShape {
  uint32_t b = 1, s = 1, h = 1, original_h = 1;

  explicit LayerNormShape(const ge::Shape& shape) {
    b = static_cast<uint32_t>(shape.GetDim(0));
    s = static_cast<uint32_t>(shape.GetDim(1));
    h = static_cast<uint32_t>(shape.GetDim(2));
    original_h = shape.GetDimNum() > 3 ? static_cast<uint32_t>(shape.GetDim(3)) : h;
  }
  uint32_t rows() const { return b * s; }
  // Float values of one row with its mean and variance, in elements.
  uint32_t row_elements() const { return kLayerNormBuffers * h + 2; }
};

// Tiles for a temporary buffer of `stack_bytes`.
inline AscendC::tiling::LayerNormTiling layer_norm_tiling(const ge::Shape& source,
                                                          uint32_t stack_bytes) {
  const LayerNormShape shape(source);
  AscendC::tiling::LayerNormTiling t;
  const uint32_t fitting = std::min(stack_bytes / 4 / shape.row_elements(), shape.rows());
  if (fitting == 0) {
    report(
        kError, "OPK-HOST-009",
        format("a layer norm row of %u elements needs %u bytes of temporary buffer, %u are there",
               shape.h, shape.row_elements() * 4, stack_bytes));
    return t;
  }
  t.bLength = shape.b;
  t.sLength = shape.s;
  t.hLength = shape.h;
  t.originalHLength = shape.original_h;
  t.inputXSize = shape.rows() * shape.h;
  t.meanVarSize = shape.rows();
  t.numberOfTmpBuf = kLayerNormBuffers;
  t.bsCurLength = fitting;
  t.bshCurLength = fitting * shape.h;
  t.oneTmpSize = t.bshCurLength;
  t.tmpBufSize = fitting * shape.row_elements();
  t.secondTmpStartPos = t.oneTmpSize;
  t.thirdTmpStartPos = 2 * t.oneTmpSize;
  t.meanTmpTensorPos = 3 * t.oneTmpSize;
  t.meanTmpTensorSize = fitting;
  t.varianceTmpTensorPos = t.meanTmpTensorPos + fitting;
  t.varianceTmpTensorSize = fitting;
  t.loopRound = shape.rows() / fitting;
  t.inputRoundSize = t.bshCurLength;
  t.inputTailSize = shape.rows() % fitting * shape.h;
  t.inputTailPos = t.inputXSize - t.inputTailSize;
  t.meanVarRoundSize = fitting;
  t.meanVarTailSize = shape.rows() % fitting;
  t.meanVarTailPos = t.meanVarSize - t.meanVarTailSize;
  t.lastDimValueBack = 1.0f / static_cast<float>(shape.original_h);
  return t;
}

}  // namespace opkit_host

namespace AscendC {

// A row of NZ data is there a second time, as elements that follow each other.
inline uint32_t GetSoftMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool) {
  const opkit_host::RowShape shape(srcShape);
  return opkit_host::softmax_row_bytes(shape) + (shape.length + 7) / 8 * opkit_host::kBlockBytes;
}
inline uint32_t GetSoftMaxMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                     const bool isReuseSource) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource) *
         opkit_host::RowShape(srcShape).rows;
}
template <typename Tiling>
inline void SoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                              const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
  opkit_host::assign(opkit_host::softmax_tiling(srcShape, dataTypeSize, localWorkSpaceSize),
                     softmaxTiling);
}

inline uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                            const uint32_t, const bool isUpdate, const bool = false,
                                            const bool = false) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize1, isUpdate);
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                            const uint32_t, const bool isUpdate, const bool = false,
                                            const bool = false) {
  return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize1, isUpdate);
}
template <typename Tiling>
inline void SoftMaxFlashV2TilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t, const uint32_t localWorkSpaceSize,
                                     Tiling& softmaxTiling, const bool = false, const bool = false,
                                     const bool = false) {
  SoftMaxTilingFunc(srcShape, dataTypeSize1, localWorkSpaceSize, softmaxTiling);
}

// The first version, the gradient and the logarithm share SoftMax's needs; the gradient keeps three
// rows, and its partial sums a part of one.
inline uint32_t GetSoftMaxFlashMinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                          const bool, const bool isReuseSource) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetSoftMaxFlashMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                          const bool, const bool isReuseSource) {
  return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, isReuseSource);
}
template <typename Tiling>
inline void SoftMaxFlashTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                   const uint32_t localWorkSpaceSize, Tiling& softmaxFlashTiling,
                                   const bool = false) {
  SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, softmaxFlashTiling);
}
inline void GetSoftMaxFlashV3MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t,
                                           const uint32_t, uint32_t& maxValue, uint32_t& minValue,
                                           const bool, const bool = false) {
  minValue = opkit_host::softmax_row_bytes(opkit_host::RowShape(srcShape)) +
             opkit_host::RowShape(srcShape).length / 8 + 1024;
  maxValue = minValue;
}
template <typename Tiling>
inline void SoftMaxFlashV3TilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t, const uint32_t localWorkSpaceSize,
                                     Tiling& softmaxFlashV3Tiling, const bool, const bool = false) {
  SoftMaxTilingFunc(srcShape, dataTypeSize1, localWorkSpaceSize, softmaxFlashV3Tiling);
}
inline uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                         const bool) {
  const opkit_host::RowShape shape(srcShape);
  return 3 * opkit_host::softmax_row_bytes(shape) + shape.length / 8;
}
inline uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                         const bool isFront, const bool isReuseSource) {
  return GetSoftMaxGradMinTmpSize(srcShape, dataTypeSize, isFront, isReuseSource) *
         opkit_host::RowShape(srcShape).rows;
}
template <typename Tiling>
inline void SoftMaxGradTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                  const uint32_t localWorkSpaceSize, Tiling& softmaxGradTiling,
                                  const bool = false) {
  SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, softmaxGradTiling);
}
inline uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape srcShape, const uint32_t dataTypeSize,
                                        const bool isReuseSource) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape srcShape, const uint32_t dataTypeSize,
                                        const bool isReuseSource) {
  return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, isReuseSource);
}
// The two structs have the same fields.
template <typename Tiling>
inline void LogSoftMaxTilingFunc(const ge::Shape srcShape, const uint32_t dataTypeSize,
                                 const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
  const tiling::SoftMaxTiling t =
      opkit_host::softmax_tiling(srcShape, dataTypeSize, localWorkSpaceSize);
  tiling::LogSoftMaxTiling log;
#define OPKIT_COPY(type, name) log.name = t.name;
  OPKIT_SOFTMAX_TILING_FIELDS(OPKIT_COPY)
#undef OPKIT_COPY
  opkit_host::assign(log, softmaxTiling);
}

// Shape: B, S, H (H rounded up to 32 bytes) and optionally the H without the padding.
inline void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const opkit_host::LayerNormShape shape(srcShape);
  minValue = shape.row_elements() * 4;
  maxValue = minValue * shape.rows();
}
template <typename Tiling>
inline void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t, const bool, Tiling& tiling) {
  opkit_host::assign(opkit_host::layer_norm_tiling(srcShape, stackBufferSize), tiling);
}
template <typename Tiling>
inline void GetLayerNormNDTillingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      Tiling& tiling) {
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tiling);
}

}  // namespace AscendC

#endif  // OPKIT_HOST_ROW_TILINGS_H_
