// Which types and formats a Matmul object takes. (Vendor's pages "Matmul使用说明",
// "4:2稀疏矩阵乘"; of int4b_t the readme of its sample matmul_int4.)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_

#include "opkit/include/ascendc/matmul_config.h"

namespace AscendC {

// Describes a B that keeps two of every four values along K: stored by columns, K / 2 values each.
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  static constexpr TPosition indexPosition = INDEX_POSITION;
};

namespace detail {

template <class Type, typename = void>
struct HasIndex : std::false_type {};
template <class Type>
struct HasIndex<Type, std::void_t<decltype(Type::indexPosition)>> : std::true_type {};

template <class B_TYPE>
constexpr bool sparse_type_fits(const MatmulConfig& config) {
  if constexpr (HasIndex<B_TYPE>::value) {
    static_assert(B_TYPE::pos == TPosition::GM && B_TYPE::indexPosition == TPosition::GM,
                  "SparseMatmulType: B and its index lie in GM");
    static_assert(std::is_same<typename B_TYPE::T, int8_t>::value && B_TYPE::isTrans,
                  "SparseMatmulType: B is of int8_t and ISTRANS is true");
    static_assert(B_TYPE::format == CubeFormat::ND || B_TYPE::format == CubeFormat::NZ,
                  "SparseMatmulType: B is in the format ND or NZ");
    static_assert(B_TYPE::layout == LayoutMode::NONE && !B_TYPE::ibShare,
                  "SparseMatmulType: LAYOUT is NONE and IBSHARE false");
    return config.doMultiDataLoad;
  }
  return true;
}

constexpr bool readable(CubeFormat f) {
  return f == CubeFormat::ND || f == CubeFormat::NZ || f == CubeFormat::VECTOR ||
         f == CubeFormat::SCALAR;
}
template <class A_TYPE, class B_TYPE, class C_TYPE>
constexpr bool types_fit() {
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  static_assert(std::is_same<A, B>::value &&
                    (std::is_same<A, half>::value || std::is_same<A, bfloat16_t>::value ||
                     std::is_same<A, float>::value || std::is_same<A, int8_t>::value ||
                     std::is_same<A, int4b_t>::value),
                "Matmul: A and B have one type: half, bfloat16_t, float, int8_t or int4b_t");
  static_assert(!std::is_same<A, int4b_t>::value || !A_TYPE::isTrans,
                "Matmul: an A of int4b_t cannot be transposed: isTrans has to be false");
  static_assert(!std::is_same<A, int4b_t>::value ||
                    std::is_same<typename C_TYPE::T, int32_t>::value ||
                    std::is_same<typename C_TYPE::T, half>::value,
                "Matmul: C is of int32_t or half when A and B are of int4b_t");
  static_assert(readable(A_TYPE::format) && readable(B_TYPE::format),
                "Matmul: A and B are in the format ND, NZ, VECTOR or SCALAR");
  static_assert(C_TYPE::format == CubeFormat::ND || C_TYPE::format == CubeFormat::NZ ||
                    C_TYPE::format == CubeFormat::ND_ALIGN,
                "Matmul: C is in the format ND, ND_ALIGN or NZ");
  static_assert(A_TYPE::layout == B_TYPE::layout, "Matmul: A and B have one LayoutMode");
  return true;
}

// Templates for matrices of int4b_t: Norm, MDL, IBShare.
constexpr bool takes_int4(const MatmulConfig& c) {
  return !c.doBasicBlock && !c.doSpecialBasicBlock && !c.doSpecialMDL;
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_TYPES_H_
