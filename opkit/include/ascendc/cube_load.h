// LoadData of fractals, LoadDataWithTranspose, Fill. (Vendor's pages "LoadData_2D",
// "LoadDataWithTranspose", "Fill".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_LOAD_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_LOAD_H_

#include "opkit/include/ascendc/copy.h"
#include "opkit/include/ascendc/reach.h"

namespace AscendC {

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

OPKIT_INLINE void issue(const opk_load_v1& l) {
  OPKIT_REACHES(cube_LoadData);
  core()->isa->load(core(), &l);
}

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
