// LoadData of windows of an image, and its registers. (Vendor's pages "LoadData_3D", "SetFmatrix",
// "SetLoadDataPaddingValue", "SetLoadDataRepeat", "SetLoadDataBoundary".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_LOAD3D_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_LOAD3D_H_

#include "opkit/include/ascendc/cube_load.h"

namespace AscendC {

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

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
  T padValue{};
  bool filterSizeW = false;  // adds 256 to filterW
  bool filterSizeH = false;
  bool fMatrixCtrl = false;  // true: the registers of the right matrix
};

// Holds the window in words: image and padding value are those of SetFmatrix and
// SetLoadDataPaddingValue.
struct LoadData3DParamsV2Pro {
  LoadData3DParamsV2Pro() = default;
  LoadData3DParamsV2Pro(const uint16_t channelSizeIn, const bool enTransposeIn,
                        const bool enSmallKIn, const bool filterSizeWIn, const bool filterSizeHIn,
                        const bool fMatrixCtrlIn, const uint64_t extConfigIn,
                        const uint64_t filterConfigIn)
      : channelSize(channelSizeIn),
        enTranspose(enTransposeIn),
        enSmallK(enSmallKIn),
        filterSizeW(filterSizeWIn),
        filterSizeH(filterSizeHIn),
        fMatrixCtrl(fMatrixCtrlIn),
        extConfig(extConfigIn),
        filterConfig(filterConfigIn) {}

  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  // From bit 0 on, 16 bits each: kExtension, mExtension, kStartPt, mStartPt.
  uint64_t extConfig = 0;
  // From bit 0 on, 8 bits each: strideW, strideH, filterW, filterH, dilationFilterW, -H.
  uint64_t filterConfig = 0x10101010101;
};

struct IsResetLoad3dConfig {
  constexpr IsResetLoad3dConfig(bool setFMatrix, bool setPadding)
      : isSetFMatrix(setFMatrix), isSetPadding(setPadding) {}
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

namespace detail {

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
  if (c->struct_size < kCoreWithBoundary) return true;  // an engine without these registers
  l.repeat = c->load_repeat_time;
  l.src_stride = c->load_repeat_stride;
  l.descending = c->load_repeat_mode;
  l.dst_fractal_gap = c->load_boundary;
  return l.repeat != 0;
}

constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

template <typename T>
OPKIT_INLINE LoadData3DParamsV2<T> unpacked(const LoadData3DParamsV2Pro& p) {
  const auto word = [&](int at) { return static_cast<uint16_t>(p.extConfig >> at * 16); };
  const auto byte = [&](int at) { return static_cast<uint8_t>(p.filterConfig >> at * 8); };
  const uint8_t no_padding[4] = {};
  return {no_padding,    1,          1,       p.channelSize, word(0),       word(1),      word(2),
          word(3),       byte(0),    byte(1), byte(2),       byte(3),       byte(4),      byte(5),
          p.enTranspose, p.enSmallK, T{},     p.filterSizeW, p.filterSizeH, p.fMatrixCtrl};
}

}  // namespace detail

template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = T>
OPKIT_INLINE void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData3DParamsV2<U>& params) {
  static_assert(detail::is_fractal_type<T>(), "LoadData (3D): elements have 4, 8, 16 or 32 bits");
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

template <typename T>
OPKIT_INLINE void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData3DParamsV2Pro& params) {
  LoadData<T, detail::kFromRegisters>(dst, src, detail::unpacked<T>(params));
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
  detail::require_tail(detail::kCoreWithBoundary);
  c->load_repeat_stride = repeatParams.repeatStride;
  c->load_repeat_time = repeatParams.repeatTime;
  c->load_repeat_mode = repeatParams.repeatMode;
}
// LoadData (3D) goes on at the start of L1 where its source reaches the boundary. Bytes; 0 = none.
OPKIT_INLINE void SetLoadDataBoundary(uint32_t boundaryValue) {
  detail::require_tail(detail::kCoreWithBoundary);
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
// The older name.
template <typename T>
OPKIT_INLINE void Load3DSetPaddingCal(const T padValue) {
  SetLoadDataPaddingValue<T>(padValue);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_LOAD3D_H_
