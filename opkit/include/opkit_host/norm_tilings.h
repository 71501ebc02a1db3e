// The tilings of RmsNorm, DeepNorm, Normalize, LayerNorm with rstd, LayerNormGrad,
// LayerNormGradBeta, WelfordUpdate and WelfordFinalize. (Vendor's pages "RmsNorm Tiling" ...
// "WelfordFinalize Tiling".) The calls work on one row at a time, so max is min, and a round is one
// row.
#ifndef OPKIT_HOST_NORM_TILINGS_H_
#define OPKIT_HOST_NORM_TILINGS_H_

#include "opkit_host/row_tilings.h"

namespace opkit_host {

// Returns the bytes of `buffers` rows of floats, their partial sums and a few blocks.
inline uint32_t norm_bytes(uint32_t buffers, uint32_t length) {
  const uint32_t row = (length + 15) / 16 * 16;
  return (buffers * row + row / 32 + 128) * 4;
}
inline uint32_t last_dim(const ge::Shape& shape) { return RowShape(shape).length; }

// Reports when the buffer is too small.
inline bool is_norm_buffer(const char* name, uint32_t buffers, uint32_t length, uint64_t bytes) {
  const uint32_t needed = norm_bytes(buffers, length);
  if (bytes >= needed) return true;
  report(kError, "OPK-HOST-009",
         format("%s: a row of %u elements needs %u bytes of temporary buffer, %llu are there", name,
                length, needed, static_cast<unsigned long long>(bytes)));
  return false;
}

// Returns the shape {B, S, H} and its original {B, S, original H}.
inline LayerNormShape norm_shape(const ge::Shape& shape, const ge::Shape& original) {
  LayerNormShape s(shape);
  s.original_h = last_dim(original);
  return s;
}
inline bool is_bsh(const char* name, const ge::Shape& shape, const ge::Shape& original) {
  if (shape.GetDimNum() == 3 && original.GetDimNum() == 3 && shape.GetShapeSize() > 0 &&
      original.GetDim(2) > 0 && original.GetDim(2) <= shape.GetDim(2))
    return true;
  report(
      kError, "OPK-HOST-009",
      format("%s: the shapes must be {B, S, H} and {B, S, original H}, and H at least original H",
             name));
  return false;
}

inline AscendC::tiling::RmsNormTiling rms_norm_tiling(const LayerNormShape& s) {
  AscendC::tiling::RmsNormTiling t;
  t.bLength = s.b;
  t.sLength = s.s;
  t.hLength = s.h;
  t.originalHLength = s.original_h;
  t.reciprocalOfHLength = 1.0f / static_cast<float>(s.original_h);
  t.mainBshLength = s.h;
  t.mainBsLength = 1;
  t.mainBsLengthAlign = 8;
  t.loopRound = s.rows();
  t.inputTailPos = s.rows() * s.h;
  return t;
}

inline AscendC::tiling::DeepNormTiling deep_norm_tiling(const LayerNormShape& s) {
  AscendC::tiling::DeepNormTiling t;
  t.bLength = s.b;
  t.sLength = s.s;
  t.hLength = s.h;
  t.originalHLength = s.original_h;
  t.inputXSize = s.rows() * s.h;
  t.meanVarSize = s.rows();
  t.loopRound = s.rows();
  t.inputRoundSize = s.h;
  t.meanVarRoundSize = 1;
  t.bshCurLength = s.h;
  t.bsCurLength = 1;
  t.lastDimValueBack = 1.0f / static_cast<float>(s.original_h);
  return t;
}

inline AscendC::tiling::LayerNormSeparateTiling layer_norm_separate_tiling(const RowShape& s) {
  AscendC::tiling::LayerNormSeparateTiling t;
  t.aLength = s.rows;
  t.rLength = s.length;
  t.inputXSize = s.rows * s.length;
  t.meanVarSize = s.rows;
  t.loopRound = s.rows;
  t.inputRoundSize = s.length;
  t.meanVarRoundSize = 1;
  t.arCurLength = s.length;
  t.aCurLength = 1;
  t.rValueBack = 1.0f / static_cast<float>(s.length);
  return t;
}

inline AscendC::tiling::LayerNormGradTiling layer_norm_grad_tiling(const LayerNormShape& s,
                                                                   uint32_t elements) {
  AscendC::tiling::LayerNormGradTiling t;
  t.stackBufferSize = elements;
  t.bLength = s.b;
  t.sLength = s.s;
  t.hLength = s.h;
  t.originalHLength = s.original_h;
  t.oneCalSize = s.h;
  t.nohCalSize = 1;
  t.loopNum = s.rows();
  return t;
}
inline AscendC::tiling::LayerNormGradBetaTiling layer_norm_grad_beta_tiling(const LayerNormShape& s,
                                                                            uint32_t elements) {
  AscendC::tiling::LayerNormGradBetaTiling t;
  t.stackBufferSize = elements;
  t.bLength = s.b;
  t.sLength = s.s;
  t.hLength = s.h;
  t.originalHLength = s.original_h;
  t.bshLength = s.rows() * s.h;
  t.bsLength = s.rows();
  t.oneCalSize = s.h;
  t.loopRound = s.rows();
  t.bshCurLength = s.h;
  t.bsCurLength = 1;
  return t;
}

// Pieces of columns: three floats per element, a block and what spreads a lane.
inline void batch_norm_sizes(const ge::Shape& shape, uint32_t& max, uint32_t& min) {
  const auto batch = static_cast<uint32_t>(shape.GetDim(0));
  const auto width = static_cast<uint32_t>(shape.GetShapeSize()) / batch;
  min = 3 * kRepeatBytes + 128;
  max = std::max(min, (width + 63) / 64 * 3 * kRepeatBytes + 128);
}
// The tensors have the shape with padding, so S * H is of that one; of the original shape only the
// batch counts. (Page "BatchNorm Tiling".)
inline AscendC::tiling::BatchNormTiling batch_norm_tiling(const ge::Shape& shape,
                                                          const ge::Shape& original) {
  AscendC::tiling::BatchNormTiling t;
  t.originalBLength = static_cast<uint32_t>(original.GetDim(0));
  t.meanVarSize = static_cast<uint32_t>(shape.GetDim(1) * shape.GetDim(2));
  t.bshCurLength = t.originalBLength * t.meanVarSize;
  t.shCurLength = t.meanVarSize;
  t.loopRound = 1;
  t.firstDimValueBack = 1.0f / static_cast<float>(t.originalBLength);
  return t;
}
// Shape: N, C, H, W.
inline AscendC::tiling::GroupNormTiling group_norm_tiling(const ge::Shape& shape, uint32_t groups) {
  AscendC::tiling::GroupNormTiling t;
  t.n = static_cast<uint32_t>(shape.GetDim(0));
  t.c = static_cast<uint32_t>(shape.GetDim(1));
  t.hw = t.hwAlignSize = static_cast<uint32_t>(shape.GetDim(2) * shape.GetDim(3));
  t.g = groups;
  t.d = t.c / groups;
  t.dhwAlignSize = t.d * t.hw;
  t.inputXSize = t.n * t.c * t.hw;
  t.meanVarSize = t.n * groups;
  t.loopRound = t.meanVarSize;
  t.factor = 1.0f / static_cast<float>(t.dhwAlignSize);
  return t;
}
inline bool are_groups(const char* name, const ge::Shape& shape, uint32_t groups) {
  if (shape.GetDimNum() == 4 && shape.GetShapeSize() > 0 && groups != 0 &&
      shape.GetDim(1) % groups == 0)
    return true;
  report(kError, "OPK-HOST-009",
         format("%s: the shape must be {N, C, H, W}, and C a multiple of the %u groups", name,
                groups));
  return false;
}

}  // namespace opkit_host

namespace AscendC {

inline bool GetBatchNormMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                      const uint32_t, const bool, uint32_t& maxValue,
                                      uint32_t& minValue, const bool = false) {
  if (!opkit_host::is_bsh("GetBatchNormMaxMinTmpSize", srcShape, originSrcShape)) return false;
  opkit_host::batch_norm_sizes(srcShape, maxValue, minValue);
  return true;
}
template <typename Tiling>
inline bool GetBatchNormNDTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                     const uint32_t, const uint32_t, const bool, Tiling& tilling,
                                     const bool = false) {
  if (!opkit_host::is_bsh("GetBatchNormNDTilingInfo", srcShape, originSrcShape)) return false;
  opkit_host::assign(opkit_host::batch_norm_tiling(srcShape, originSrcShape), tilling);
  return true;
}
inline void GetGroupNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                      const uint32_t groupNum, uint32_t& maxValue,
                                      uint32_t& minValue) {
  if (!opkit_host::are_groups("GetGroupNormMaxMinTmpSize", srcShape, groupNum)) return;
  minValue = maxValue =
      opkit_host::norm_bytes(1, static_cast<uint32_t>(srcShape.GetDim(2) * srcShape.GetDim(3)));
}
template <typename Tiling>
inline void GetGroupNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t, const uint32_t,
                                     const bool, const uint32_t groupNum, Tiling& tiling) {
  if (opkit_host::are_groups("GetGroupNormNDTilingInfo", srcShape, groupNum))
    opkit_host::assign(opkit_host::group_norm_tiling(srcShape, groupNum), tiling);
}

inline bool GetRmsNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, uint32_t& maxValue,
                                    uint32_t& minValue, const bool = false) {
  if (!opkit_host::is_bsh("GetRmsNormMaxMinTmpSize", srcShape, srcShape)) return false;
  minValue = maxValue = opkit_host::norm_bytes(2, opkit_host::last_dim(srcShape));
  return true;
}
template <typename Tiling>
inline bool GetRmsNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                 const uint32_t stackBufferByteSize, const uint32_t, Tiling& tiling,
                                 const bool = false) {
  if (!opkit_host::is_bsh("GetRmsNormTilingInfo", srcShape, originSrcShape)) return false;
  const auto s = opkit_host::norm_shape(srcShape, originSrcShape);
  if (!opkit_host::is_norm_buffer("RmsNorm", 2, s.h, stackBufferByteSize)) return false;
  opkit_host::assign(opkit_host::rms_norm_tiling(s), tiling);
  return true;
}

inline bool GetDeepNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                     const bool, uint32_t& maxValue, uint32_t& minValue) {
  if (!opkit_host::is_bsh("GetDeepNormMaxMinTmpSize", srcShape, srcShape)) return false;
  minValue = maxValue = opkit_host::norm_bytes(2, opkit_host::last_dim(srcShape));
  return true;
}
template <typename Tiling>
inline bool GetDeepNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                  const uint32_t stackBufferSize, const uint32_t, const bool,
                                  const bool, Tiling& tiling) {
  if (!opkit_host::is_bsh("GetDeepNormTilingInfo", srcShape, originSrcShape)) return false;
  const auto s = opkit_host::norm_shape(srcShape, originSrcShape);
  if (!opkit_host::is_norm_buffer("DeepNorm", 2, s.h, stackBufferSize)) return false;
  opkit_host::assign(opkit_host::deep_norm_tiling(s), tiling);
  return true;
}

inline void GetNormalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t,
                                      const bool, const bool, const bool, uint32_t& maxValue,
                                      uint32_t& minValue) {
  minValue = maxValue = opkit_host::norm_bytes(2, opkit_host::last_dim(srcShape));
}
inline void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                      const bool, const bool, uint32_t& maxValue,
                                      uint32_t& minValue) {
  minValue = maxValue = opkit_host::norm_bytes(2, opkit_host::last_dim(srcShape));
}
template <typename Tiling>
inline void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t, const bool, const bool, Tiling& tiling) {
  const opkit_host::RowShape s(srcShape);
  if (opkit_host::is_norm_buffer("LayerNorm", 2, s.length, stackBufferSize))
    opkit_host::assign(opkit_host::layer_norm_separate_tiling(s), tiling);
}

// stackBufferSize of the gradients counts elements.
inline void GetLayerNormGradMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                          uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = opkit_host::norm_bytes(3, opkit_host::LayerNormShape(srcShape).h);
}
template <typename Tiling>
inline void GetLayerNormGradNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize,
                                         const uint32_t, const bool, Tiling& tiling) {
  const opkit_host::LayerNormShape s(srcShape);
  if (opkit_host::is_norm_buffer("LayerNormGrad", 3, s.h, uint64_t{stackBufferSize} * 4))
    opkit_host::assign(opkit_host::layer_norm_grad_tiling(s, stackBufferSize), tiling);
}
inline void GetLayerNormGradBetaMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                              uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = opkit_host::norm_bytes(4, opkit_host::LayerNormShape(srcShape).h);
}
template <typename Tiling>
inline void GetLayerNormGradBetaNDTilingInfo(const ge::Shape srcShape,
                                             const uint32_t stackBufferSize, const uint32_t,
                                             const bool, Tiling& tiling) {
  const opkit_host::LayerNormShape s(srcShape);
  if (opkit_host::is_norm_buffer("LayerNormGradBeta", 4, s.h, uint64_t{stackBufferSize} * 4))
    opkit_host::assign(opkit_host::layer_norm_grad_beta_tiling(s, stackBufferSize), tiling);
}

inline void GetWelfordUpdateMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t,
                                          const bool, const bool, uint32_t& maxValue,
                                          uint32_t& minValue) {
  minValue = 3 * opkit_host::kRepeatBytes;
  maxValue = std::max(minValue, opkit_host::norm_bytes(3, opkit_host::last_dim(srcShape)));
}
inline void GetWelfordFinalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool,
                                            uint32_t& maxValue, uint32_t& minValue) {
  minValue = maxValue = opkit_host::norm_bytes(2, opkit_host::last_dim(srcShape));
}

}  // namespace AscendC

#endif  // OPKIT_HOST_NORM_TILINGS_H_
