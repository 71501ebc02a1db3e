// Which types and formats a Matmul object takes. (Vendor's page "Matmul使用说明".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_

#include "opkit/include/ascendc/matmul_config.h"

namespace AscendC {
namespace detail {

constexpr bool readable(CubeFormat f) {
  return f == CubeFormat::ND || f == CubeFormat::NZ || f == CubeFormat::VECTOR;
}
template <class A_TYPE, class B_TYPE, class C_TYPE>
constexpr bool types_fit() {
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  static_assert(std::is_same<A, B>::value &&
                    (std::is_same<A, half>::value || std::is_same<A, bfloat16_t>::value ||
                     std::is_same<A, float>::value || std::is_same<A, int8_t>::value),
                "Matmul: A and B have one type: half, bfloat16_t, float or int8_t");
  static_assert(readable(A_TYPE::format) && readable(B_TYPE::format),
                "Matmul: A and B are in the format ND, NZ or VECTOR");
  static_assert(C_TYPE::format == CubeFormat::ND || C_TYPE::format == CubeFormat::NZ ||
                    C_TYPE::format == CubeFormat::ND_ALIGN,
                "Matmul: C is in the format ND, ND_ALIGN or NZ");
  static_assert(A_TYPE::layout == B_TYPE::layout, "Matmul: A and B have one LayoutMode");
  return true;
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_
