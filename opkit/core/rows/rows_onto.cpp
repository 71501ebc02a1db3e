#include "opkit/core/rows/rows_onto.h"

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_onto.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct AddOnto {
  template <class V>
  static HWY_INLINE V Take(V to, V b) {
    return hn::Add(to, b);
  }
};
struct MaxOnto {
  template <class V>
  static HWY_INLINE V Take(V to, V b) {
    return hn::IfThenElse(hn::Or(hn::IsNaN(to), hn::Gt(to, b)), to, b);
  }
};

// Adds rows to a row of 64 by the operation, with a few columns of it in registers at a time.
template <class Operation>
HWY_INLINE void Onto(float* to, const float* b, uint32_t times) {
  const hn::ScalableTag<float> d;
  constexpr uint32_t kLanes = hn::MaxLanes(d), kRow = 64;
  constexpr uint32_t kAtOnce = kRow / kLanes < 8 ? kRow / kLanes : 8;
  for (uint32_t column = 0; column < kRow; column += kAtOnce * kLanes) {
    hn::Vec<decltype(d)> sum[kAtOnce];
    for (uint32_t i = 0; i < kAtOnce; ++i) sum[i] = hn::LoadU(d, to + column + i * kLanes);
    const float* from = b + column;
    for (uint32_t t = 0; t < times; ++t, from += kRow) {
      for (uint32_t i = 0; i < kAtOnce; ++i)
        sum[i] = Operation::Take(sum[i], hn::LoadU(d, from + i * kLanes));
    }
    for (uint32_t i = 0; i < kAtOnce; ++i) hn::StoreU(sum[i], d, to + column + i * kLanes);
  }
}

void AddOnto64(float* to, const float* b, uint32_t times) { Onto<AddOnto>(to, b, times); }
void MaxOnto64(float* to, const float* b, uint32_t times) { Onto<MaxOnto>(to, b, times); }

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(AddOnto64);
HWY_EXPORT(MaxOnto64);

void add_onto_64(float* to, const float* b, uint32_t times) {
  HWY_DYNAMIC_DISPATCH(AddOnto64)(to, b, times);
}
void max_onto_64(float* to, const float* b, uint32_t times) {
  HWY_DYNAMIC_DISPATCH(MaxOnto64)(to, b, times);
}

}  // namespace opkit::core
#endif
