// TransDataTo5HD and Transpose. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_TRANSPOSE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_TRANSPOSE_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

namespace detail {

template <typename T>
OPKIT_INLINE void transpose_blocks(void* const* dst, void* const* src,
                                   const TransDataTo5HDParams& p) {
  static_assert(sizeof(T) <= 4, "TransDataTo5HD exists for 8-, 16- and 32-bit types only");
  opk_vector_v1 v = vector_call(OPK_V_TRANS_DATA_TO_5HD, 2);
  v.operand[0].dtype = v.operand[1].dtype = dtype_of<T>();
  v.operand[0].memory = v.operand[1].memory = OPK_MEM_UB;
  v.repeat = p.repeatTimes;
  v.param[0] = p.dstRepStride;
  v.param[1] = p.srcRepStride;
  v.flags = static_cast<uint8_t>((p.dstHighHalf ? 1 : 0) | (p.srcHighHalf ? 2 : 0));
  core()->isa->transpose16(core(), &v, dst, src);
}

}  // namespace detail

// 16 tensors each.
template <typename T>
OPKIT_INLINE void TransDataTo5HD(const LocalTensor<T> (&dstLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                                 const LocalTensor<T> (&srcLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                                 const TransDataTo5HDParams& nchwconvParams) {
  void* dst[NCHW_CONV_ADDR_LIST_SIZE];
  void* src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = dstLocalList[i].pointer();
    src[i] = srcLocalList[i].pointer();
  }
  detail::transpose_blocks<T>(dst, src, nchwconvParams);
}
template <typename T>
OPKIT_INLINE void TransDataTo5HD(LocalTensor<T> (&dstLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                                 LocalTensor<T> (&srcLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                                 const TransDataTo5HDParams& nchwconvParams) {
  void* dst[NCHW_CONV_ADDR_LIST_SIZE];
  void* src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = dstLocalList[i].pointer();
    src[i] = srcLocalList[i].pointer();
  }
  detail::transpose_blocks<T>(dst, src, nchwconvParams);
}
// 16 addresses from GetPhyAddr each.
template <typename T>
OPKIT_INLINE void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                 uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                 const TransDataTo5HDParams& nchwconvParams) {
  void* dst[NCHW_CONV_ADDR_LIST_SIZE];
  void* src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = reinterpret_cast<void*>(dstList[i]);
    src[i] = reinterpret_cast<void*>(srcList[i]);
  }
  detail::transpose_blocks<T>(dst, src, nchwconvParams);
}
// 16 addresses in a tensor each.
template <typename T>
OPKIT_INLINE void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                                 const TransDataTo5HDParams& nchwconvParams) {
  uint64_t dst_list[NCHW_CONV_ADDR_LIST_SIZE], src_list[NCHW_CONV_ADDR_LIST_SIZE];
  for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst_list[i] = dst.GetValue(i);
    src_list[i] = src.GetValue(i);
  }
  TransDataTo5HD<T>(dst_list, src_list, nchwconvParams);
}

// One 16x16 matrix.
template <typename T>
OPKIT_INLINE void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  static_assert(sizeof(T) == 2, "Transpose(dst, src) exists for 16-bit types only");
  opk_vector_v1 v = detail::vector_call(OPK_V_TRANSPOSE, 2);
  detail::put(v.operand[0], dst);
  detail::put(v.operand[1], src);
  detail::issue(v);
}
// TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW; TRANSPOSE_TYPE_NONE does nothing.
// (Page "Transpose".)
template <typename T>
OPKIT_INLINE void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<uint8_t>& sharedTmpBuffer,
                            const TransposeParamsExt& params) {
  (void)sharedTmpBuffer;
  if (params.transposeType == TransposeType::TRANSPOSE_TYPE_NONE) return;
  if (params.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
    if constexpr (sizeof(T) == 2) return Transpose(dst, src);
  }
  opk_vector_v1 v = detail::vector_call(OPK_V_TRANSPOSE, 2);
  detail::put(v.operand[0], dst);
  detail::put(v.operand[1], src);
  v.mode = params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC   ? 1
           : params.transposeType == TransposeType::TRANSPOSE_NHWC2NCHW ? 2
                                                                        : 3;
  v.param[0] = params.nSize;
  v.param[1] = params.cSize;
  v.param[2] = params.hSize;
  v.param[3] = params.wSize;
  detail::issue(v);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_TRANSPOSE_H_
