// Forms of calls that only newer chips have, where arch 2201 has the call in other forms. Using one
// is an error whose sentence says what to write instead; tests/coverage asks for them. (Pages
// "Sort", "Broadcast", "AscendQuant", "AscendDequant", "AscendAntiQuant": "only on Ascend 950".)
#ifndef OPKIT_INCLUDE_ASCENDC_ABSENT_FORMS_H_
#define OPKIT_INCLUDE_ASCENDC_ABSENT_FORMS_H_

#include "opkit/include/ascendc/absent.h"
#include "opkit/include/ascendc/advanced_quant.h"

namespace AscendC {

#define OPKIT_REFUSE_FORM(T, form, instead) \
  static_assert(detail::kAbsent<T>,         \
                form " is not emulated: arch 2201 does not have it; use " instead)

enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
};
inline constexpr SortConfig DEFAULT_SORT_CONFIG{};

namespace detail {
template <typename T>
constexpr void refuse_sort_by_count() {
  OPKIT_REFUSE_FORM(T, "Sort by count, with SortConfig,",
                    "Sort with repeatTime between Concat and Extract");
}
}  // namespace detail

#define OPKIT_ABSENT_SORT(buffer)                                                       \
  template <typename T, bool isReuseSource = false,                                     \
            const SortConfig& config = DEFAULT_SORT_CONFIG>                             \
  void Sort(const LocalTensor<T>&, const LocalTensor<T>&, buffer const uint32_t) {      \
    detail::refuse_sort_by_count<T>();                                                  \
  }                                                                                     \
  template <typename T, bool isReuseSource = false,                                     \
            const SortConfig& config = DEFAULT_SORT_CONFIG>                             \
  void Sort(const LocalTensor<T>&, const LocalTensor<uint32_t>&, const LocalTensor<T>&, \
            buffer const uint32_t) {                                                    \
    detail::refuse_sort_by_count<T>();                                                  \
  }                                                                                     \
  template <typename T, typename U, bool isReuseSource = false,                         \
            const SortConfig& config = DEFAULT_SORT_CONFIG>                             \
  void Sort(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<T>&,        \
            const LocalTensor<U>&, buffer const uint32_t) {                             \
    detail::refuse_sort_by_count<T>();                                                  \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&,
OPKIT_ABSENT_SORT(OPKIT_SHARED_BUFFER)
OPKIT_ABSENT_SORT()
#undef OPKIT_ABSENT_SORT

// Its fields are the vendor's own.
struct BroadcastTiling {};
template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr,
          uint32_t* constSrcShape = nullptr, bool constSrcInnerPad = false>
void Broadcast(const LocalTensor<T>&, const LocalTensor<T>&, const uint32_t*, const uint32_t*,
               BroadcastTiling*) {
  OPKIT_REFUSE_FORM(T, "Broadcast by BroadcastTiling, with any number of dims,",
                    "Broadcast with dim 1 or 2 and an axis, once for each axis");
}
template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr,
          uint32_t* constSrcShape = nullptr>
void GetBroadcastTilingInfo(uint32_t, const uint32_t*, const uint32_t*, bool, BroadcastTiling&) {
  OPKIT_REFUSE_FORM(T, "GetBroadcastTilingInfo", "Broadcast with dim 1 or 2 and an axis");
}

#define OPKIT_QUANT_TYPES(Name)                                                              \
  enum class Name##Policy : int32_t{PER_TENSOR, PER_CHANNEL,           PER_TOKEN,            \
                                    PER_GROUP,  PER_CHANNEL_PER_GROUP, PER_TOKEN_PER_GROUP}; \
  struct Name##Param {                                                                       \
    uint32_t m;                                                                              \
    uint32_t n;                                                                              \
    uint32_t calCount;                                                                       \
    uint32_t groupSize = 0;                                                                  \
  };
OPKIT_QUANT_TYPES(AscendQuant)
OPKIT_QUANT_TYPES(AscendDeQuant)
OPKIT_QUANT_TYPES(AscendAntiQuant)
#undef OPKIT_QUANT_TYPES
struct AscendDeQuantConfig {
  bool hasOffset;
  int32_t kDim = 1;
};
struct AscendAntiQuantConfig {
  bool hasOffset;
  bool isTranspose;
  int32_t kDim = 1;
};

#define OPKIT_REFUSE_POLICY(Call, Policy)                                    \
  OPKIT_REFUSE_FORM(dstT, Call " per token and per group, with " Policy ",", \
                    Call " for each row or group")
#define OPKIT_ABSENT_QUANT(buffer)                                                             \
  template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false,         \
            const AscendQuantConfig& config, const AscendQuantPolicy& policy>                  \
  void AscendQuant(const LocalTensor<dstT>&, const LocalTensor<srcT>&,                         \
                   buffer const LocalTensor<scaleT>&, const LocalTensor<scaleT>&,              \
                   const AscendQuantParam&) {                                                  \
    OPKIT_REFUSE_POLICY("AscendQuant", "AscendQuantPolicy");                                   \
  }                                                                                            \
  template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false,         \
            const AscendQuantConfig& config, const AscendQuantPolicy& policy>                  \
  void AscendQuant(const LocalTensor<dstT>&, const LocalTensor<srcT>&,                         \
                   buffer const LocalTensor<scaleT>&, const scaleT, const AscendQuantParam&) { \
    OPKIT_REFUSE_POLICY("AscendQuant", "AscendQuantPolicy");                                   \
  }
OPKIT_ABSENT_QUANT(OPKIT_SHARED_BUFFER)
OPKIT_ABSENT_QUANT()
#undef OPKIT_ABSENT_QUANT

#define OPKIT_ABSENT_DEQUANT(Call, Name, buffer)                                            \
  template <typename dstT, typename srcT, typename scaleT, const Name##Config& config,      \
            const Name##Policy& policy>                                                     \
  void Call(const LocalTensor<dstT>&, const LocalTensor<srcT>&, const LocalTensor<scaleT>&, \
            const LocalTensor<scaleT>&, buffer const Name##Param&) {                        \
    OPKIT_REFUSE_POLICY(#Call, #Name "Policy");                                             \
  }
OPKIT_ABSENT_DEQUANT(AscendDequant, AscendDeQuant, OPKIT_SHARED_BUFFER)
OPKIT_ABSENT_DEQUANT(AscendDequant, AscendDeQuant, )
OPKIT_ABSENT_DEQUANT(AscendAntiQuant, AscendAntiQuant, OPKIT_SHARED_BUFFER)
OPKIT_ABSENT_DEQUANT(AscendAntiQuant, AscendAntiQuant, )
#undef OPKIT_ABSENT_DEQUANT
#undef OPKIT_REFUSE_POLICY
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_REFUSE_FORM

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ABSENT_FORMS_H_
