// Matmul and REGIST_MATMUL_OBJ. (Vendor's page "REGIST_MATMUL_OBJ".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_

#include "opkit/include/ascendc/matmul.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          template <const auto&, typename...> class MM_POLICY = Impl::Detail::MatmulPolicy>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MM_POLICY>;

namespace detail {

#ifdef ASCENDC_CUBE_ONLY
constexpr bool kMatmulOnCubeCore = true;
#else
constexpr bool kMatmulOnCubeCore = false;
#endif

inline void regist_matmul() {}
template <typename Object>
void regist_matmul(Object& object) {
  object.Init(nullptr);
}
template <typename Object, typename Tiling, typename... Rest>
void regist_matmul(Object& object, Tiling tiling, Rest&&... rest) {
  object.Init(tiling);
  regist_matmul(rest...);
}

}  // namespace detail

}  // namespace AscendC

// Without ASCENDC_CUBE_ONLY the vector cores work, and the cube core has nothing to do.
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                  \
  if constexpr (::AscendC::g_coreType == ::AscendC::AIC && !::AscendC::detail::kMatmulOnCubeCore) \
    return;                                                                                       \
  ::AscendC::detail::regist_matmul(__VA_ARGS__)

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_
