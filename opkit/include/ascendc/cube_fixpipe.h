// Fixpipe and its register form. (Vendor's pages "Fixpipe（L0C到GM数据搬运）",
// "Fixpipe（L0C到L1数据搬运）", "SetFixPipeConfig", "SetFixpipeNz2ndFlag",
// "SetFixpipePreQuantFlag".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_FIXPIPE_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_FIXPIPE_H_

#include "opkit/include/ascendc/copy.h"
#include "opkit/include/ascendc/reach.h"

// The vendor's compiler knows these names without a namespace.
enum QuantMode_t : uint8_t {
  NoQuant = 0,
  F322F16 = 1,
  F322BF16 = 16,
  DEQF16 = 5,
  VDEQF16 = 4,
  QF322B8_PRE = 24,
  VQF322B8_PRE = 23,
  REQ8 = 3,
  VREQ8 = 2
};
namespace AscendC {

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
  CO2Layout format;
  bool isToUB = false;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
  FixpipeParamsV220() = default;
  FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn,
                    bool reluEnIn)
      : nSize(nSizeIn),
        mSize(mSizeIn),
        srcStride(srcStrideIn),
        dstStride(dstStrideIn),
        reluEn(reluEnIn) {}
  FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn,
                    bool reluEnIn, QuantMode_t quantPreIn, int64_t deqScalarIn, uint16_t ndNumIn,
                    uint16_t srcNdStrideIn, uint16_t dstNdStrideIn, uint8_t unitFlagIn)
      : FixpipeParamsV220(nSizeIn, mSizeIn, srcStrideIn, dstStrideIn, reluEnIn) {
    quantPre = quantPreIn;
    deqScalar = static_cast<uint64_t>(deqScalarIn);
    ndNum = ndNumIn;
    srcNdStride = srcNdStrideIn;
    dstNdStride = dstNdStrideIn;
    unitFlag = unitFlagIn;
  }
  FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn,
                    bool reluEnIn, QuantMode_t quantPreIn, int64_t deqScalarIn, uint16_t ndNumIn,
                    uint16_t srcNdStrideIn, uint16_t dstNdStrideIn, uint8_t unitFlagIn,
                    bool isChannelSplitIn)
      : FixpipeParamsV220(nSizeIn, mSizeIn, srcStrideIn, dstStrideIn, reluEnIn, quantPreIn,
                          deqScalarIn, ndNumIn, srcNdStrideIn, dstNdStrideIn, unitFlagIn) {
    isChannelSplit = isChannelSplitIn;
  }

  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;  // rows from panel to panel in L0C
  uint32_t dstStride = 0;  // ND: elements per row; NZ: blocks of 32 bytes per panel
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;  // fractals of 1024 bytes
  uint16_t dstNdStride = 0;  // elements
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};

struct DataCopyCO12DstParams {
  DataCopyCO12DstParams() = default;
  DataCopyCO12DstParams(uint16_t nSizeIn, uint16_t mSizeIn, uint32_t dstStrideIn,
                        uint16_t srcStrideIn, QuantMode_t quantPreIn, uint8_t reluPreIn,
                        bool channelSplitIn, bool nz2ndEnIn)
      : nSize(nSizeIn),
        mSize(mSizeIn),
        dstStride(dstStrideIn),
        srcStride(srcStrideIn),
        quantPre(quantPreIn),
        reluPre(reluPreIn),
        channelSplit(channelSplitIn),
        nz2ndEn(nz2ndEnIn) {}

  uint8_t sid = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint8_t reluPre = 0;
  bool channelSplit = false;
  bool nz2ndEn = false;
};

namespace detail {

constexpr uint8_t quant_of(QuantMode_t mode) {
  switch (mode) {
    case QuantMode_t::NoQuant: return OPK_Q_NONE;
    case QuantMode_t::F322F16: return OPK_Q_F32_F16;
    case QuantMode_t::F322BF16: return OPK_Q_F32_BF16;
    case QuantMode_t::QF322B8_PRE: return OPK_Q_F32_B8;
    case QuantMode_t::VQF322B8_PRE: return OPK_Q_F32_B8_VEC;
    case QuantMode_t::DEQF16: return OPK_Q_S32_F16;
    case QuantMode_t::VDEQF16: return OPK_Q_S32_F16_VEC;
    case QuantMode_t::REQ8: return OPK_Q_S32_B8;
    case QuantMode_t::VREQ8: return OPK_Q_S32_B8_VEC;
  }
  return OPK_Q_NONE;
}

template <typename T, typename U>
constexpr void require_fixpipe_types() {
  constexpr bool real = std::is_same<U, float>::value &&
                        (std::is_same<T, float>::value || std::is_same<T, half>::value ||
                         std::is_same<T, bfloat16_t>::value || std::is_same<T, int8_t>::value ||
                         std::is_same<T, uint8_t>::value);
  constexpr bool integer = std::is_same<U, int32_t>::value &&
                           (std::is_same<T, int32_t>::value || std::is_same<T, half>::value ||
                            std::is_same<T, int8_t>::value || std::is_same<T, uint8_t>::value);
  static_assert(real || integer,
                "Fixpipe: float goes to float, half, bfloat16_t, int8_t or uint8_t; int32_t goes "
                "to int32_t, half, int8_t or uint8_t");
}

template <typename Dst, typename U>
OPKIT_INLINE opk_fixpipe_v1 fixpipe_call(const Dst& dst, const LocalTensor<U>& src,
                                         const FixpipeParamsV220& p, bool to_nd) {
  require_fixpipe_types<typename Dst::PrimType, PrimT<U>>();
  opk_fixpipe_v1 f{};
  f.n = p.nSize;
  f.m = p.mSize;
  f.src_stride = p.srcStride;
  f.dst_stride = p.dstStride;
  f.nd_count = p.ndNum;
  f.src_nd_stride = p.srcNdStride;
  f.dst_nd_stride = p.dstNdStride;
  f.quant = quant_of(p.quantPre);
  f.relu = p.reluEn;
  f.unit_flag = p.unitFlag;
  f.channel_split = p.isChannelSplit;
  f.to_nd = to_nd;
  f.quant_word = p.deqScalar;
  f.dst = operand(dst);
  f.src = operand(src);
  return f;
}

OPKIT_INLINE void issue(const opk_fixpipe_v1& f) {
  OPKIT_REACHES(cube_Fixpipe);
  core()->isa->fixpipe(core(), &f);
}

template <typename Dst, typename U>
OPKIT_INLINE void fixpipe(const Dst& dst, const LocalTensor<U>& src, const FixpipeParamsV220& p,
                          bool to_nd) {
  issue(fixpipe_call(dst, src, p, to_nd));
}
template <typename Dst, typename U>
OPKIT_INLINE void fixpipe(const Dst& dst, const LocalTensor<U>& src,
                          const LocalTensor<uint64_t>& words, const FixpipeParamsV220& p,
                          bool to_nd) {
  opk_fixpipe_v1 f = fixpipe_call(dst, src, p, to_nd);
  f.quant_vector = operand(words);
  issue(f);
}

// The form whose matrices and quantisation come from registers.
template <typename Dst, typename U>
OPKIT_INLINE void fixpipe_by_registers(const Dst& dst, const LocalTensor<U>& src,
                                       const DataCopyCO12DstParams& p) {
  const opk_core* c = core();
  FixpipeParamsV220 q(p.nSize, p.mSize, p.srcStride, p.dstStride, p.reluPre != 0);
  q.quantPre = p.quantPre;
  q.deqScalar = c->fixpipe_word;
  q.unitFlag = p.unitFlag;
  q.isChannelSplit = p.channelSplit;
  if (__builtin_expect(p.clipReluPre || p.eltWiseOp || p.reluPre > 1, 0)) {
    core()->isa->fault(core(), "EK1710",
                       "DataCopy from L0C: clipReluPre and eltWiseOp do not exist on this chip, "
                       "and reluPre is 0 or 1; do this in the vector core");
  }
  opk_fixpipe_v1 f = fixpipe_call(dst, src, q, p.nz2ndEn);
  f.nd_count = c->fixpipe_nd[0];
  f.src_nd_stride = c->fixpipe_nd[1];
  f.dst_nd_stride = c->fixpipe_dst_nd;
  f.quant_vector = c->fixpipe_vector;
  issue(f);
}

}  // namespace detail

template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
OPKIT_INLINE void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                          const FixpipeParamsV220& params) {
  detail::fixpipe(dst, src, params, config.format == CO2Layout::ROW_MAJOR);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
OPKIT_INLINE void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                          const FixpipeParamsV220& params) {
  detail::fixpipe(dst, src, params, config.format == CO2Layout::ROW_MAJOR);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
OPKIT_INLINE void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                          const LocalTensor<uint64_t>& cbufWorkspace,
                          const FixpipeParamsV220& params) {
  detail::fixpipe(dst, src, cbufWorkspace, params, config.format == CO2Layout::ROW_MAJOR);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
OPKIT_INLINE void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                          const LocalTensor<uint64_t>& cbufWorkspace,
                          const FixpipeParamsV220& params) {
  detail::fixpipe(dst, src, cbufWorkspace, params, config.format == CO2Layout::ROW_MAJOR);
}

template <typename T, typename U>
OPKIT_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                           const DataCopyCO12DstParams& params) {
  detail::fixpipe_by_registers(dst, src, params);
}
template <typename T, typename U>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                           const DataCopyCO12DstParams& params) {
  detail::fixpipe_by_registers(dst, src, params);
}

// One word per column for the vector modes, in the fixpipe buffer.
template <typename T, bool setRelu = false>
OPKIT_INLINE void SetFixPipeConfig(const LocalTensor<T>& words, bool = false) {
  static_assert(!setRelu, "SetFixPipeConfig: setRelu is false on every chip; use reluPre");
  static_assert(sizeof(T) == 8, "SetFixPipeConfig: a word has 64 bits");
  detail::core()->fixpipe_vector = detail::operand(words);
}
// The page keeps reluPre for later: an empty tensor.
template <typename T>
OPKIT_INLINE void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>& quantPre,
                                   bool isUnitFlag = false) {
  SetFixPipeConfig(quantPre, isUnitFlag);
}
OPKIT_INLINE void SetFixpipePreQuantFlag(uint64_t config) { detail::core()->fixpipe_word = config; }
OPKIT_INLINE void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  opk_core* c = detail::core();
  c->fixpipe_nd[0] = ndNum;
  c->fixpipe_nd[1] = srcNdStride;
  c->fixpipe_dst_nd = dstNdStride;
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_FIXPIPE_H_
