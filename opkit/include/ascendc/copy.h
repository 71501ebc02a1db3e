// DataCopy, DataCopyPad and the parameter structs. (Vendor's pages "DataCopy",
// "DataCopyPad(ISASI)", "随路转换ND2NZ搬运", "随路转换NZ2ND搬运", "SliceInfo".)
#ifndef OPKIT_INCLUDE_ASCENDC_COPY_H_
#define OPKIT_INCLUDE_ASCENDC_COPY_H_

#include "opkit/include/ascendc/tensor.h"

namespace AscendC {

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL = 0,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };

// Lengths and gaps in 32-byte blocks; a gap runs from the end of a block to the start of the next.
// Into the bias table and the Fixpipe buffer: detail::units_of.
struct DataCopyParams {
  DataCopyParams() = default;
  DataCopyParams(uint16_t count, uint16_t len, uint16_t srcGapIn, uint16_t dstGapIn)
      : blockCount(count), blockLen(len), srcGap(srcGapIn), dstGap(dstGapIn) {}

  uint16_t blockCount = 1;
  uint16_t blockLen = 0;
  union {
    uint16_t srcGap = 0;
    uint16_t srcStride;
  };
  union {
    uint16_t dstGap = 0;
    uint16_t dstStride;
  };
};

struct DataCopyEnhancedParams {
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  int padMode = 0;
  uint64_t padValue = 0;
};

// blockLen and the GM side's stride in bytes, the UB side's stride in 32-byte blocks.
struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn,
                    uint32_t rsvIn)
      : blockCount(count),
        blockLen(len),
        srcStride(srcStrideIn),
        dstStride(dstStrideIn),
        rsv(rsvIn) {}

  uint16_t blockCount = 1;
  uint32_t blockLen = 0;
  uint32_t srcStride = 0;
  uint32_t dstStride = 0;
  uint32_t rsv = 0;
};

struct DataCopyPadParams {
  DataCopyPadParams() = default;
  DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;    // elements
  uint8_t rightPadding = 0;   // elements
  uint64_t paddingValue = 0;  // bit pattern
};

template <typename T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;   // elements
  uint8_t rightPadding = 0;  // elements
  T paddingValue = T(0);
};

struct Nd2NzParams {
  Nd2NzParams() = default;
  Nd2NzParams(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn, uint16_t srcNdMatrixStrideIn,
              uint16_t srcDValueIn, uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn,
              uint16_t dstNzMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcDValue(srcDValueIn),
        dstNzC0Stride(dstNzC0StrideIn),
        dstNzNStride(dstNzNStrideIn),
        dstNzMatrixStride(dstNzMatrixStrideIn) {}

  uint16_t ndNum = 0;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 0;
  uint16_t srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  uint16_t dstNzMatrixStride = 0;
};

struct Nz2NdParamsFull {
  Nz2NdParamsFull() = default;
  Nz2NdParamsFull(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn,
                  uint16_t srcNdMatrixStrideIn, uint16_t srcNStrideIn, uint16_t dstDStrideIn,
                  uint16_t dstNdMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcNStride(srcNStrideIn),
        dstDStride(dstDStrideIn),
        dstNdMatrixStride(dstNdMatrixStrideIn) {}

  uint16_t ndNum = 1;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 0;
  uint16_t srcNStride = 0;
  uint16_t dstDStride = 0;
  uint16_t dstNdMatrixStride = 0;
};

// One dimension of a slice: elements startIndex to endIndex (inclusive), `stride` elements between
// runs, burstLen = 32-byte blocks of the innermost run, shapeValue = size of the dimension.
struct SliceInfo {
  SliceInfo() = default;
  SliceInfo(uint32_t start, uint32_t end, uint32_t strideIn, uint32_t burst, uint32_t shape = 0)
      : startIndex(start), endIndex(end), stride(strideIn), burstLen(burst), shapeValue(shape) {}

  uint32_t startIndex = 0;
  uint32_t endIndex = 31;
  uint32_t stride = 0;
  uint32_t burstLen = 31;
  uint32_t shapeValue = 0;
};

namespace detail {

constexpr uint8_t pipe_of_copy(uint8_t dst, uint8_t src) {
  if (src == OPK_MEM_GM) return OPK_PIPE_MTE2;
  if (dst == OPK_MEM_GM || dst == OPK_MEM_L1) return OPK_PIPE_MTE3;
  if (src == OPK_MEM_L1) return OPK_PIPE_MTE1;
  return OPK_PIPE_V;
}

template <typename Dst, typename Src>
OPKIT_INLINE opk_copy_v1 copy_between(const Dst& dst, const Src& src) {
  opk_copy_v1 c{};
  put(c.dst, dst);
  put(c.src, src);
  c.pipe = pipe_of_copy(c.dst.memory, c.src.memory);
  c.op = c.dst.memory == OPK_MEM_BT ? OPK_C_BIAS : OPK_C_LINEAR;
  return c;
}

OPKIT_INLINE void issue(const opk_copy_v1& c) { core()->isa->copy(core(), &c); }

// Pages "DataCopy（GM与UB连续数据搬运）" and its like: count elements move, count * sizeof(T) being
// rounded down to 32 bytes. sizeof(int4b_t) is 1, so that 96 of them are not rounded: all 96 move,
// in whole blocks, which are two (docs/kernel-guide.md). The engine tells of what is left behind:
// opk_copy_v1::reserved holds its bytes.
template <typename Dst, typename Src>
OPKIT_INLINE void copy_count(const Dst& dst, const Src& src, uint64_t count) {
  using T = typename Src::PrimType;
  opk_copy_v1 c = copy_between(dst, src);
  const uint64_t kept = count * sizeof(T) / ONE_BLK_SIZE * ONE_BLK_SIZE / sizeof(T);
  c.block_count = 1;
  c.block_bytes = (bytes_of<T>(kept) + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
  c.flags = c.block_bytes == 0 && count != 0;
  c.reserved = static_cast<uint16_t>(bytes_of<T>(count - kept));
  issue(c);
}

// Bytes that blockLen and dstGap count; whether gaps run from start to start. (Pages
// "DataCopy（L1ToBiasTable Buffer数据搬运）", "DataCopy（L1ToFixpipe-Buffer数据搬运）".)
struct CopyUnits {
  int64_t length, dst_gap;
  bool from_starts;
};
constexpr CopyUnits units_of(uint8_t dst_memory) {
  if (dst_memory == OPK_MEM_BT) return {64, 64, false};
  if (dst_memory == OPK_MEM_FB) return {128, 128, true};
  return {ONE_BLK_SIZE, ONE_BLK_SIZE, false};
}

template <typename Dst, typename Src>
OPKIT_INLINE void copy_blocks(const Dst& dst, const Src& src, const DataCopyParams& p) {
  opk_copy_v1 c = copy_between(dst, src);
  const CopyUnits units = units_of(c.dst.memory);
  const int64_t len = p.blockLen * units.length;
  // A narrower source of the bias table widens on the way, so the gaps count on both sides' own
  // blocks.
  const int64_t dst_len =
      c.op == OPK_C_BIAS && c.src.dtype == OPK_FLOAT16 && c.dst.dtype == OPK_FLOAT32 ? 2 * len
                                                                                     : len;
  c.block_count = p.blockCount;
  c.block_bytes = static_cast<uint64_t>(len);
  c.src_pitch = (units.from_starts ? 0 : len) + p.srcGap * int64_t{ONE_BLK_SIZE};
  c.dst_pitch = (units.from_starts ? 0 : dst_len) + p.dstGap * units.dst_gap;
  issue(c);
}

// Bit of opk_copy_v1::flags: blockLen came in 16 bits, which larger numbers wrap at.
constexpr uint8_t kShortLength = 2;

constexpr uint64_t blocks32(uint64_t bytes) { return (bytes + 31) / 32 * 32; }

template <typename T>
OPKIT_INLINE void pad_in(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                         const DataCopyExtParams& p, bool isPad, uint8_t left, uint8_t right,
                         uint64_t value, uint8_t form = 0) {
  opk_copy_v1 c = copy_between(dst, src);
  c.op = OPK_C_PAD_IN;
  c.flags = static_cast<uint8_t>(isPad | form);
  c.block_count = p.blockCount;
  c.block_bytes = p.blockLen;
  c.src_pitch = int64_t{p.blockLen} + p.srcStride;
  c.pad_left = left;
  c.pad_right = right;
  const uint64_t filled = blocks32(p.blockLen + bytes_of<T>(uint64_t{left} + right));
  c.dst_pitch = static_cast<int64_t>(filled + uint64_t{p.dstStride} * ONE_BLK_SIZE);
  c.value = isPad ? value : core()->pad_value;
  issue(c);
}

template <typename T>
OPKIT_INLINE void pad_out(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                          const DataCopyExtParams& p, uint8_t form = 0) {
  opk_copy_v1 c = copy_between(dst, src);
  c.op = OPK_C_PAD_OUT;
  c.flags = form;
  c.block_count = p.blockCount;
  c.block_bytes = p.blockLen;
  c.src_pitch = static_cast<int64_t>(blocks32(p.blockLen) + uint64_t{p.srcStride} * ONE_BLK_SIZE);
  c.dst_pitch = int64_t{p.blockLen} + p.dstStride;
  issue(c);
}

// Between UB and L0C there are older chips' conversions, which this chip does with Fixpipe.
OPKIT_INLINE bool is_plain(const DataCopyEnhancedParams& p) {
  const bool plain = p.blockMode == BlockMode::BLOCK_MODE_NORMAL &&
                     p.deqScale == DeqScale::DEQ_NONE && !p.isRelu && p.padMode == 0;
  if (__builtin_expect(!plain, 0))
    core()->isa->fault(core(), "EK1008",
                       "DataCopy: enhancedParams asks for a conversion that no copy of this chip "
                       "does; use Fixpipe or a vector call");
  return plain;
}

OPKIT_INLINE DataCopyExtParams widen(const DataCopyParams& p) {
  return DataCopyExtParams(p.blockCount, p.blockLen, p.srcStride, p.dstStride, 0);
}

}  // namespace detail

// GM -> UB/L1, count in elements.
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                           const uint32_t count) {
  detail::copy_count(dst, src, count);
}
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                           const DataCopyParams& params) {
  detail::copy_blocks(dst, src, params);
}
// The enhanced form, for what the pages give it between GM, L1 and UB: nothing but a plain copy.
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                           const DataCopyParams& params,
                           const DataCopyEnhancedParams& enhancedParams) {
  if (detail::is_plain(enhancedParams)) detail::copy_blocks(dst, src, params);
}
template <typename T>
OPKIT_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                           const DataCopyParams& params,
                           const DataCopyEnhancedParams& enhancedParams) {
  if (detail::is_plain(enhancedParams)) detail::copy_blocks(dst, src, params);
}
template <typename T, typename U>
void DataCopy(const LocalTensor<T>&, const LocalTensor<U>&, const DataCopyParams&,
              const DataCopyEnhancedParams&) {
  static_assert(!sizeof(T*),
                "DataCopy from CO1 to CO2 is not emulated: arch 2201 has no CO2; use Fixpipe");
}
// UB -> GM.
template <typename T>
OPKIT_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                           const uint32_t count) {
  detail::copy_count(dst, src, count);
}
template <typename T>
OPKIT_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                           const DataCopyParams& params) {
  detail::copy_blocks(dst, src, params);
}
// Between local memories.
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const uint32_t count) {
  detail::copy_count(dst, src, count);
}
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const DataCopyParams& params) {
  detail::copy_blocks(dst, src, params);
}
// L1 -> bias table with widening.
template <typename T, typename U>
OPKIT_INLINE std::enable_if_t<!std::is_same<T, U>::value> DataCopy(const LocalTensor<T>& dst,
                                                                   const LocalTensor<U>& src,
                                                                   const DataCopyParams& params) {
  detail::copy_blocks(dst, src, params);
}

namespace detail {

// Elements below a byte are moved as bytes, and the parameters count bytes, as the page demands.
template <typename Dst, typename Src>
OPKIT_INLINE void copy_to_panels(const Dst& dst, const Src& src, const Nd2NzParams& params) {
  opk_copy_v1 c = copy_between(dst, src);
  c.op = OPK_C_ND2NZ;
  c.matrix_count = params.ndNum;
  c.rows = params.nValue;
  c.columns = params.dValue;
  c.nd_row_pitch = params.srcDValue;
  c.nd_matrix_pitch = params.srcNdMatrixStride;
  c.nz_column_pitch = params.dstNzC0Stride;
  c.nz_row_pitch = params.dstNzNStride;
  c.nz_matrix_pitch = params.dstNzMatrixStride;
  issue(c);
}

}  // namespace detail

template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                           const Nd2NzParams& params) {
  detail::copy_to_panels(dst, src, params);
}
// UB -> L1, for the Matmul object. (Page "DataCopy（UBToL1随路转换-ND2NZ搬运）".)
template <typename T>
OPKIT_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const Nd2NzParams& params) {
  detail::copy_to_panels(dst, src, params);
}
template <typename T>
OPKIT_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                           const Nz2NdParamsFull& params) {
  opk_copy_v1 c = detail::copy_between(dst, src);
  c.op = OPK_C_NZ2ND;
  c.matrix_count = params.ndNum;
  c.rows = params.nValue;
  c.columns = params.dValue;
  c.nd_row_pitch = params.dstDStride;
  c.nd_matrix_pitch = params.dstNdMatrixStride;
  c.nz_column_pitch = params.srcNStride;
  c.nz_row_pitch = 1;
  c.nz_matrix_pitch = params.srcNdMatrixStride;
  detail::issue(c);
}

namespace detail {

// Walks the runs of an n-dimensional slice: the innermost dimension is one run of burstLen blocks
// repeated at distance `stride` elements, outer dimensions multiply by shapeValue.
template <typename Dst, typename Src>
void copy_slices(const Dst& dst, const Src& src, const SliceInfo* d, const SliceInfo* s,
                 uint32_t dim, uint64_t dst_base, uint64_t src_base) {
  using T = typename Src::PrimType;
  const uint64_t block = elements_in<T>(ONE_BLK_SIZE);
  const SliceInfo& to = d[dim - 1];
  const SliceInfo& from = s[dim - 1];
  uint64_t dst_pitch = 1, src_pitch = 1;
  for (uint32_t i = 0; i + 1 < dim; ++i) {
    dst_pitch *= d[i].shapeValue;
    src_pitch *= s[i].shapeValue;
  }
  if (dim == 1) {
    const uint64_t run = from.burstLen * block;
    const uint64_t total = from.endIndex - from.startIndex + 1;
    const uint64_t runs = (total + from.stride) / (run + from.stride);
    for (uint64_t i = 0; i < runs; ++i) {
      copy_count(dst[static_cast<uint32_t>(dst_base + to.startIndex + i * (run + to.stride))],
                 src[static_cast<uint32_t>(src_base + from.startIndex + i * (run + from.stride))],
                 run);
    }
    return;
  }
  for (uint32_t i = from.startIndex, j = to.startIndex; i <= from.endIndex;
       i += 1 + from.stride, j += 1 + to.stride) {
    copy_slices(dst, src, d, s, dim - 1, dst_base + j * dst_pitch, src_base + i * src_pitch);
  }
}

}  // namespace detail

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSlices[],
              const SliceInfo srcSlices[], const uint32_t dimValue = 1) {
  detail::copy_slices(dst, src, dstSlices, srcSlices, dimValue, 0, 0);
}
template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSlices[],
              const SliceInfo srcSlices[], const uint32_t dimValue = 1) {
  detail::copy_slices(dst, src, dstSlices, srcSlices, dimValue, 0, 0);
}

template <typename T>
OPKIT_INLINE void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                              const DataCopyExtParams& params, const DataCopyPadExtParams<T>& pad) {
  detail::pad_in(dst, src, params, pad.isPad, pad.leftPadding, pad.rightPadding,
                 detail::bits(pad.paddingValue));
}
template <typename T>
OPKIT_INLINE void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                              const DataCopyParams& params, const DataCopyPadParams& pad) {
  detail::pad_in(dst, src, detail::widen(params), pad.isPad, pad.leftPadding, pad.rightPadding,
                 pad.paddingValue, detail::kShortLength);
}
template <typename T>
OPKIT_INLINE void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                              const DataCopyExtParams& params) {
  detail::pad_out(dst, src, params);
}
template <typename T>
OPKIT_INLINE void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                              const DataCopyParams& params) {
  detail::pad_out(dst, src, detail::widen(params), detail::kShortLength);
}

template <typename T>
OPKIT_INLINE void SetPadValue(T value, TPosition = TPosition::MAX) {
  detail::require_call("SetPadValue");
  detail::core()->pad_value = detail::bits(value);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_COPY_H_
