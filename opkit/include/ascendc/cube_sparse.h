// 4:2 sparse products of int8_t. (Pages "LoadDataWithSparse", "MmadWithSparse".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_SPARSE_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_SPARSE_H_

#include "opkit/include/ascendc/cube_load.h"
#include "opkit/include/ascendc/cube_mmad.h"

namespace AscendC {

using LoadData2dParams = LoadData2DParams;

// Fractals of B and the index fractals of 128 bytes that belong to them. Of the parameters
// startIndex and repeatTimes count.
template <typename T = int8_t, typename U = uint8_t,
          std::enable_if_t<std::is_same<PrimT<T>, int8_t>::value, bool> = true,
          std::enable_if_t<std::is_same<PrimT<U>, uint8_t>::value, bool> = true>
OPKIT_INLINE void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                     const LocalTensor<U>& idx,
                                     const LoadData2DParams& loadDataParam) {
  detail::require_tail(detail::kCoreWithBoundary);
  LoadData(
      dst, src,
      LoadData2DParams(loadDataParam.startIndex, loadDataParam.repeatTimes, 1, 0, 0, false, false));
  opk_load_v1 l = detail::load_between(OPK_L_SPARSE, dst, idx);
  l.start_index = loadDataParam.startIndex;
  l.repeat = loadDataParam.repeatTimes;
  detail::issue(l);
}

// C = A * B (+ C): filter holds the half of B that is not zero, k counts all of it.
template <typename T = int32_t, typename U = int8_t,
          std::enable_if_t<std::is_same<PrimT<T>, int32_t>::value, bool> = true,
          std::enable_if_t<std::is_same<PrimT<U>, int8_t>::value, bool> = true>
OPKIT_INLINE void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                                 const LocalTensor<U>& filter, const MmadParams& mmadParams) {
  detail::require_tail(detail::kCoreWithBoundary);
  opk_mmad_v1 x = detail::mmad_call(dst, fm, filter, mmadParams);
  x.k_layout = OPK_K_SPARSE;
  detail::issue(x);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_SPARSE_H_
