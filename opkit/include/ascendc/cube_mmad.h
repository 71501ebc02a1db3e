// Mmad and its modes. (Vendor's pages "Mmad", "SetHF32Mode", "SetHF32TransMode",
// "SetMMLayoutTransform".)
#ifndef OPKIT_INCLUDE_ASCENDC_CUBE_MMAD_H_
#define OPKIT_INCLUDE_ASCENDC_CUBE_MMAD_H_

#include "opkit/include/ascendc/reach.h"
#include "opkit/include/ascendc/tensor.h"

namespace AscendC {

enum class HF32Mode : uint8_t { DISABLE = 0, ENABLE = 1 };
// NEAREST_ZERO is the older name: the page says that it does what NEAREST_AWAY does.
enum class HF32TransMode : uint8_t { NEAREST_EVEN = 0, NEAREST_AWAY = 1, NEAREST_ZERO = 1 };

struct MmadParams {
  MmadParams() = default;
  MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, bool isBiasIn, int32_t fmOffsetIn,
             bool enSsparseIn, bool enWinogradAIn, bool enWinogradBIn)
      : m(mIn),
        n(nIn),
        k(kIn),
        isBias(isBiasIn),
        fmOffset(fmOffsetIn),
        enSsparse(enSsparseIn),
        enWinogradA(enWinogradAIn),
        enWinogradB(enWinogradBIn) {}
  MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t unitFlagIn, bool cmatrixSourceIn,
             bool cmatrixInitValIn)
      : m(mIn),
        n(nIn),
        k(kIn),
        unitFlag(unitFlagIn),
        cmatrixSource(cmatrixSourceIn),
        cmatrixInitVal(cmatrixInitValIn) {}

  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false;   // adds to the old C
  int32_t fmOffset = 0;  // matters to older chips, like the next three: this one takes no notice
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  int8_t unitFlag = 0;
  bool kDirectionAlign = false;  // float: k padded to 16 in L0A
  bool cmatrixSource = false;    // true: C starts from the bias table
  bool cmatrixInitVal = true;    // true: C starts from zero
};

namespace detail {

template <typename C, typename A, typename B>
constexpr bool mmad_types() {
  constexpr bool real = std::is_same<C, float>::value &&
                        (std::is_same<A, half>::value || std::is_same<A, bfloat16_t>::value ||
                         std::is_same<A, float>::value);
  constexpr bool integer = std::is_same<C, int32_t>::value &&
                           (std::is_same<A, int8_t>::value || std::is_same<A, int4b_t>::value);
  return std::is_same<A, B>::value && (real || integer);
}

template <typename C, typename A, typename B>
OPKIT_INLINE opk_mmad_v1 mmad_call(const LocalTensor<C>& c, const LocalTensor<A>& a,
                                   const LocalTensor<B>& b, const MmadParams& p) {
  static_assert(mmad_types<PrimT<C>, PrimT<A>, PrimT<B>>(),
                "Mmad: the types are float <- half, bfloat16_t or float (both operands alike), or "
                "int32_t <- int8_t or int4b_t");
  opk_mmad_v1 x{};
  x.m = p.m;
  x.n = p.n;
  x.k = p.k;
  x.init = p.isBias || !p.cmatrixInitVal ? 1 : 0;
  x.unit_flag = static_cast<uint8_t>(p.unitFlag);
  x.k_layout = p.kDirectionAlign ? OPK_K_PADDED_16 : OPK_K_PLAIN;
  const bool hf32 = std::is_same<PrimT<A>, float>::value && core()->hf32;
  x.hf32 = !hf32 ? 0 : core()->hf32_trans ? 2 : 1;
  x.c = operand(c);
  x.a = operand(a);
  x.b = operand(b);
  return x;
}

OPKIT_INLINE void issue(const opk_mmad_v1& x) {
  OPKIT_REACHES(cube_Mmad);
  core()->isa->mmad(core(), &x);
}

}  // namespace detail

template <typename T, typename U, typename S>
OPKIT_INLINE void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                       const LocalTensor<S>& filter, const MmadParams& params) {
  opk_mmad_v1 x = detail::mmad_call(dst, fm, filter, params);
  if (__builtin_expect(x.init == 1 && params.cmatrixSource, 0)) {
    detail::core()->isa->fault(detail::core(), "EK1707",
                               "Mmad: cmatrixSource names the bias table, but there is no bias "
                               "tensor; pass it before the parameters");
  }
  detail::issue(x);
}
template <typename T, typename U, typename S, typename V>
OPKIT_INLINE void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                       const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                       const MmadParams& params) {
  static_assert(std::is_same<T, V>::value, "Mmad: the bias has the type of the destination");
  opk_mmad_v1 x = detail::mmad_call(dst, fm, filter, params);
  x.bias = detail::operand(bias);
  // A bias in L0C is an older C to add to: the tensor must then be the destination itself.
  if (x.bias.memory == OPK_MEM_L0C && x.bias.address == x.c.address)
    x.init = 1;
  else
    x.init = 2;
  detail::issue(x);
}

// Float operands are rounded to 11 bits of mantissa.
OPKIT_INLINE void SetHF32Mode(bool mode) { detail::core()->hf32 = mode; }
OPKIT_INLINE void SetHF32Mode(HF32Mode mode) { detail::core()->hf32 = mode == HF32Mode::ENABLE; }
// true: ties go away from zero.
OPKIT_INLINE void SetHF32TransMode(bool mode) { detail::core()->hf32_trans = mode; }
OPKIT_INLINE void SetHF32TransMode(HF32TransMode mode) {
  detail::core()->hf32_trans = mode == HF32TransMode::NEAREST_AWAY;
}
// The order in which blocks of C are produced: no difference in the result.
OPKIT_INLINE void SetMMLayoutTransform(bool) {}
OPKIT_INLINE void SetMMRowMajor() {}
OPKIT_INLINE void SetMMColumnMajor() {}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CUBE_MMAD_H_
