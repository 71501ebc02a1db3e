// Matmul and REGIST_MATMUL_OBJ. (Vendor's page "REGIST_MATMUL_OBJ".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_

#include <type_traits>

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

template <typename Argument>
constexpr bool kIsTiling =
    std::is_pointer_v<std::decay_t<Argument>> || std::is_null_pointer_v<std::decay_t<Argument>>;

// A tiling follows its object; an object without one gets it by Init. The page asks for all
// tilings where there are several objects; kernels that run on the chip leave them to Init, too.
inline void regist_matmul() {}
template <typename Object>
void regist_matmul(Object& object) {
  object.Init(nullptr);
}
template <typename Object, typename Next, typename... Rest>
void regist_matmul(Object& object, Next&& next, Rest&&... rest) {
  if constexpr (kIsTiling<Next>) {
    object.Init(next);
    regist_matmul(rest...);
  } else {
    object.Init(nullptr);
    regist_matmul(next, rest...);
  }
}

}  // namespace detail

}  // namespace AscendC

// Without ASCENDC_CUBE_ONLY the vector cores work, and the cube core has nothing to do.
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                  \
  if constexpr (::AscendC::g_coreType == ::AscendC::AIC && !::AscendC::detail::kMatmulOnCubeCore) \
    return;                                                                                       \
  ::AscendC::detail::regist_matmul(__VA_ARGS__)

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_REGIST_H_
