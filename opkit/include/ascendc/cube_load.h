// LoadData, LoadDataWithTranspose, Fill and their registers. (Vendor's pages "LoadData_2D",
// "LoadData_3D", "LoadDataWithTranspose", "Fill", "SetFmatrix", "SetLoadDataPaddingValue".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_LOAD_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_LOAD_H_

#include "opkit/include/ascendc/copy.h"

namespace AscendC {

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

// Indices, strides and gaps in fractals of 512 bytes; a gap runs from the end of a fractal to the
// start of the next.
struct LoadData2DParams {
  LoadData2DParams() = default;
  LoadData2DParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn,
                   uint8_t sidIn, uint16_t dstGapIn, bool ifTransposeIn, bool addrModeIn)
      : startIndex(startIndexIn),
        dstGap(dstGapIn),
        srcStride(srcStrideIn),
        ifTranspose(ifTransposeIn),
        repeatTimes(repeatTimesIn),
        sid(sidIn),
        addrMode(addrModeIn) {}

  uint16_t startIndex = 0;
  uint16_t dstGap = 0;
  uint16_t srcStride = 0;
  bool ifTranspose = false;
  uint8_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;  // 1: source addresses fall
};

struct LoadData2dTransposeParams {
  LoadData2dTransposeParams() = default;
  LoadData2dTransposeParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn,
                            uint16_t dstGapIn, uint16_t dstFracGapIn)
      : startIndex(startIndexIn),
        repeatTimes(repeatTimesIn),
        srcStride(srcStrideIn),
        dstGap(dstGapIn),
        dstFracGap(dstFracGapIn) {}
  LoadData2dTransposeParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn,
                            uint16_t dstGapIn, uint16_t dstFracGapIn, uint8_t addrModeIn)
      : LoadData2dTransposeParams(startIndexIn, repeatTimesIn, srcStrideIn, dstGapIn,
                                  dstFracGapIn) {
    addrMode = addrModeIn;
  }

  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};

template <typename T>
struct LoadData3DParamsV2 {
  LoadData3DParamsV2() = default;
  LoadData3DParamsV2(const uint8_t padListIn[4], uint16_t l1HIn, uint16_t l1WIn,
                     uint16_t channelSizeIn, uint16_t kExtensionIn, uint16_t mExtensionIn,
                     uint16_t kStartPtIn, uint16_t mStartPtIn, uint8_t strideWIn, uint8_t strideHIn,
                     uint8_t filterWIn, uint8_t filterHIn, uint8_t dilationFilterWIn,
                     uint8_t dilationFilterHIn, bool enTransposeIn, bool enSmallKIn, T padValueIn)
      : l1H(l1HIn),
        l1W(l1WIn),
        channelSize(channelSizeIn),
        kExtension(kExtensionIn),
        mExtension(mExtensionIn),
        kStartPt(kStartPtIn),
        mStartPt(mStartPtIn),
        strideW(strideWIn),
        strideH(strideHIn),
        filterW(filterWIn),
        filterH(filterHIn),
        dilationFilterW(dilationFilterWIn),
        dilationFilterH(dilationFilterHIn),
        enTranspose(enTransposeIn),
        enSmallK(enSmallKIn),
        padValue(padValueIn) {
    for (int i = 0; i < 4; ++i) padList[i] = padListIn[i];
  }
  LoadData3DParamsV2(const uint8_t padListIn[4], uint16_t l1HIn, uint16_t l1WIn,
                     uint16_t channelSizeIn, uint16_t kExtensionIn, uint16_t mExtensionIn,
                     uint16_t kStartPtIn, uint16_t mStartPtIn, uint8_t strideWIn, uint8_t strideHIn,
                     uint8_t filterWIn, uint8_t filterHIn, uint8_t dilationFilterWIn,
                     uint8_t dilationFilterHIn, bool enTransposeIn, bool enSmallKIn, T padValueIn,
                     bool filterSizeWIn, bool filterSizeHIn, bool fMatrixCtrlIn)
      : LoadData3DParamsV2(padListIn, l1HIn, l1WIn, channelSizeIn, kExtensionIn, mExtensionIn,
                           kStartPtIn, mStartPtIn, strideWIn, strideHIn, filterWIn, filterHIn,
                           dilationFilterWIn, dilationFilterHIn, enTransposeIn, enSmallKIn,
                           padValueIn) {
    filterSizeW = filterSizeWIn;
    filterSizeH = filterSizeHIn;
    fMatrixCtrl = fMatrixCtrlIn;
  }

  uint8_t padList[4] = {0, 0, 0, 0};  // left, right, top, bottom
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0;
  uint16_t mExtension = 0;
  uint16_t kStartPt = 0;
  uint16_t mStartPt = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = T(0);
  bool filterSizeW = false;  // adds 256 to filterW
  bool filterSizeH = false;
  bool fMatrixCtrl = false;  // true: the registers of the right matrix
};

struct IsResetLoad3dConfig {
  constexpr IsResetLoad3dConfig(bool setFMatrix, bool setPadding)
      : isSetFMatrix(setFMatrix), isSetPadding(setPadding) {}
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

// Runs of blocks; a block is 32 bytes in L1 and 512 bytes in L0A and L0B.
template <typename T>
struct InitConstValueParams {
  InitConstValueParams() = default;
  InitConstValueParams(uint16_t repeatTimesIn, uint16_t blockNumIn, uint16_t dstGapIn,
                       T initValueIn)
      : repeatTimes(repeatTimesIn),
        blockNum(blockNumIn),
        dstGap(dstGapIn),
        initValue(initValueIn) {}
  InitConstValueParams(uint16_t repeatTimesIn, T initValueIn)
      : repeatTimes(repeatTimesIn), blockNum(1), initValue(initValueIn) {}

  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;
  uint16_t dstGap = 0;
  T initValue = T(0);
};

namespace detail {

template <typename T>
constexpr bool is_fractal_type() {
  return bits_of<T>() <= 32;
}

template <typename Dst, typename Src>
OPKIT_INLINE opk_load_v1 load_between(opk_load_op op, const Dst& dst, const Src& src) {
  opk_load_v1 l{};
  l.op = static_cast<uint16_t>(op);
  l.dst = operand(dst);
  l.src = operand(src);
  return l;
}

OPKIT_INLINE void issue(const opk_load_v1& l) { core()->isa->load(core(), &l); }

template <typename Dst, typename Src>
OPKIT_INLINE void load_2d(const Dst& dst, const Src& src, const LoadData2DParams& p) {
  static_assert(is_fractal_type<typename Src::PrimType>(),
                "LoadData: elements have 4, 8, 16 or 32 bits");
  opk_load_v1 l = load_between(OPK_L_2D, dst, src);
  l.start_index = p.startIndex;
  l.repeat = p.repeatTimes;
  l.src_stride = p.srcStride;
  l.dst_gap = p.dstGap;
  l.transpose = p.ifTranspose;
  l.descending = p.addrMode == 1;
  issue(l);
}

template <typename T>
OPKIT_INLINE void set_image(opk_load_v1& l, const LoadData3DParamsV2<T>& p, bool from_params) {
  const opk_core* c = core();
  const uint32_t side = p.fMatrixCtrl ? 1 : 0;
  l.l1_h = from_params ? p.l1H : c->fmatrix[side][0];
  l.l1_w = from_params ? p.l1W : c->fmatrix[side][1];
  for (int i = 0; i < 4; ++i) l.pad[i] = from_params ? p.padList[i] : c->fmatrix_pad[side][i];
}

// What SetLoadDataRepeat and SetLoadDataBoundary left. False: nothing is to be loaded.
OPKIT_INLINE bool set_repeats_of_image(opk_load_v1& l) {
  const opk_core* c = core();
  if (c->struct_size < sizeof(opk_core)) return true;  // an engine without these registers
  l.repeat = c->load_repeat_time;
  l.src_stride = c->load_repeat_stride;
  l.descending = c->load_repeat_mode;
  l.dst_fractal_gap = c->load_boundary;
  return l.repeat != 0;
}

}  // namespace detail

template <typename T>
OPKIT_INLINE void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2DParams& params) {
  detail::load_2d(dst, src, params);
}
template <typename T>
OPKIT_INLINE void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                           const LoadData2DParams& params) {
  detail::load_2d(dst, src, params);
}

template <typename T>
OPKIT_INLINE void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                        const LoadData2dTransposeParams& params) {
  static_assert(detail::is_fractal_type<T>(),
                "LoadDataWithTranspose: elements have 4, 8, 16 or 32 bits");
  opk_load_v1 l = detail::load_between(OPK_L_TRANSPOSE, dst, src);
  l.transpose = 1;
  l.start_index = params.startIndex;
  l.repeat = params.repeatTimes;
  l.src_stride = params.srcStride;
  l.dst_gap = params.dstGap;
  l.dst_fractal_gap = params.dstFracGap;
  l.descending = params.addrMode == 1;
  detail::issue(l);
}

template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = T>
OPKIT_INLINE void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData3DParamsV2<U>& params) {
  static_assert(
      detail::bits_of<T>() == 8 || detail::bits_of<T>() == 16 || detail::bits_of<T>() == 32,
      "LoadData (3D): elements have 8, 16 or 32 bits");
  opk_load_v1 l = detail::load_between(OPK_L_3D, dst, src);
  detail::set_image(l, params, defaultConfig.isSetFMatrix);
  l.channel_size = params.channelSize;
  l.k_extension = params.kExtension;
  l.m_extension = params.mExtension;
  l.k_start = params.kStartPt;
  l.m_start = params.mStartPt;
  l.stride_w = params.strideW;
  l.stride_h = params.strideH;
  l.filter_w = static_cast<uint16_t>(params.filterW + (params.filterSizeW ? 256 : 0));
  l.filter_h = static_cast<uint16_t>(params.filterH + (params.filterSizeH ? 256 : 0));
  l.dilation_w = params.dilationFilterW;
  l.dilation_h = params.dilationFilterH;
  l.transpose = params.enTranspose;
  l.pad_value =
      defaultConfig.isSetPadding ? detail::bits(params.padValue) : detail::core()->load_pad_value;
  if (!detail::set_repeats_of_image(l)) return;
  detail::issue(l);
}

// Several windows with one LoadData (3D): repeatStride is 16 rows along M (mode 0) and 32 bytes
// along K (mode 1); dstStride does not exist on this chip.
struct LoadDataRepeatParam {
  LoadDataRepeatParam() = default;
  LoadDataRepeatParam(const uint16_t repeatStrideIn, const uint8_t repeatTimeIn,
                      const uint8_t repeatModeIn)
      : repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn) {}

  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint8_t reserved = 0;
  uint16_t dstStride = 0;
};
OPKIT_INLINE void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
  opk_core* c = detail::core();
  detail::require_tail(sizeof(opk_core));
  c->load_repeat_stride = repeatParams.repeatStride;
  c->load_repeat_time = repeatParams.repeatTime;
  c->load_repeat_mode = repeatParams.repeatMode;
}
// LoadData (3D) goes on at the start of L1 where its source reaches the boundary. Bytes; 0 = none.
OPKIT_INLINE void SetLoadDataBoundary(uint32_t boundaryValue) {
  detail::require_tail(sizeof(opk_core));
  detail::core()->load_boundary = boundaryValue;
}

OPKIT_INLINE void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                             const FmatrixMode& mode) {
  opk_core* c = detail::core();
  const uint32_t side = mode == FmatrixMode::FMATRIX_RIGHT ? 1 : 0;
  c->fmatrix[side][0] = l1H;
  c->fmatrix[side][1] = l1W;
  for (int i = 0; i < 4; ++i) c->fmatrix_pad[side][i] = padList[i];
}

// The older name, for the left matrix.
OPKIT_INLINE void Load3DSetFMatrixCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
  SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_LEFT);
}

template <typename T>
OPKIT_INLINE void SetLoadDataPaddingValue(const T padValue) {
  detail::core()->load_pad_value = detail::bits(padValue);
}

template <typename T, typename U = T>
OPKIT_INLINE void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  static_assert(detail::bits_of<T>() == 16 || detail::bits_of<T>() == 32,
                "InitConstValue: elements have 16 or 32 bits");
  opk_copy_v1 c{};
  c.op = OPK_C_FILL;
  c.dst = detail::operand(dst);
  c.src.memory = c.dst.memory;
  const int64_t block = c.dst.memory == OPK_MEM_L1 ? 32 : 512;
  c.pipe = c.dst.memory == OPK_MEM_L1 ? OPK_PIPE_MTE2 : OPK_PIPE_MTE1;
  c.block_count = params.repeatTimes;
  c.block_bytes = static_cast<uint64_t>(params.blockNum * block);
  c.dst_pitch = (int64_t{params.blockNum} + params.dstGap) * block;
  c.value = detail::bits(params.initValue);
  detail::issue(c);
}
template <typename T, typename U = T>
OPKIT_INLINE void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  InitConstValue(dst, params);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_LOAD_H_
