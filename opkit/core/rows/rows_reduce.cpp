#include "opkit/core/rows/rows_reduce.h"

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_reduce.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

void LoadFloats(uint32_t dtype, const void* row, uint32_t n, float* values) {
  if (dtype == OPK_FLOAT32) {
    std::memcpy(values, row, n * sizeof(float));
    return;
  }
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<uint32_t>(hn::Lanes(d));
  const auto* half = static_cast<const uint16_t*>(row);
  uint32_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(LoadHalf(d, half + i), d, values + i);
  if (i == n) return;
  HWY_ALIGN uint16_t rest[HWY_MAX_BYTES / 2] = {};
  std::memcpy(rest, half + i, (n - i) * sizeof(uint16_t));
  hn::StoreU(LoadHalf(d, rest), d, values + i);
}

template <class D, class V>
HWY_INLINE V RoundSum(D d, V sum, bool saturate) {
  V rounded = RoundToHalf(d, sum);
  if (!saturate) return rounded;
  const V largest = hn::Set(d, 65504.0f);
  rounded = hn::IfThenZeroElse(hn::IsNaN(rounded), rounded);
  return hn::Min(hn::Max(rounded, hn::Neg(largest)), largest);
}

// Adds; of two NaN the first one is the result. Compilers exchange the operands of a sum as they
// like, and the host's instruction takes whichever comes first.
template <class V>
HWY_INLINE V AddInOrder(V first, V second) {
  return hn::Add(first, hn::IfThenElse(hn::IsNaN(first), first, second));
}

template <class D, class V>
HWY_INLINE V SumOfPairs([[maybe_unused]] D d, V high, V low) {
#if HWY_TARGET == HWY_SCALAR
  return AddInOrder(low, high);
#else
  return AddInOrder(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
#endif
}

// Returns the sum of 64 floats in registers.
float SumOf64(const float* values) {
  const hn::ScalableTag<float> d;
  constexpr uint32_t kLanes = hn::MaxLanes(d), kRegisters = 64 / kLanes;
  hn::Vec<decltype(d)> part[kRegisters];
  for (uint32_t i = 0; i < kRegisters; ++i) part[i] = hn::LoadU(d, values + i * kLanes);
  for (uint32_t n = kRegisters / 2; n > 0; n /= 2) {
    for (uint32_t i = 0; i < n; ++i) part[i] = SumOfPairs(d, part[2 * i + 1], part[2 * i]);
  }
  for (uint32_t n = kLanes / 2; n > 0; n /= 2) part[0] = SumOfPairs(d, part[0], part[0]);
  return hn::GetLane(part[0]);
}

struct PairSum {
  template <class D, class V>
  static HWY_INLINE V Of(D, V first, V second) {
    return AddInOrder(first, second);
  }
};
// The first of two values, unless the second one is better, or the first NaN.
template <bool kLargest>
struct PairExtreme {
  template <class D, class V>
  static HWY_INLINE V Of(D, V first, V second) {
    const auto better = kLargest ? hn::Gt(second, first) : hn::Lt(second, first);
    const auto nan = hn::AndNot(hn::IsNaN(first), hn::IsNaN(second));
    return hn::IfThenElse(hn::Or(better, nan), second, first);
  }
};

template <class Pair, class D, class V>
HWY_INLINE V Neighbours(D d, V high, V low) {
#if HWY_TARGET == HWY_SCALAR
  return Pair::Of(d, low, high);
#else
  return Pair::Of(d, hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
#endif
}

// Three levels of a tree of neighbours, which leave eight of 64 floats.
template <class Pair>
HWY_INLINE void PartsOf8(const PartRows& rows) {
  const hn::ScalableTag<float> d;
  constexpr uint32_t kLanes = hn::MaxLanes(d), kRegisters = 64 / kLanes, kParts = 8;
  const uint8_t* from = rows.from;
  uint8_t* to = rows.to;
  for (uint32_t r = 0; r < rows.rows; ++r, from += rows.from_pitch, to += rows.to_pitch) {
    const auto* values = reinterpret_cast<const float*>(from);
    hn::Vec<decltype(d)> part[kRegisters];
    for (uint32_t i = 0; i < kRegisters; ++i) part[i] = hn::LoadU(d, values + i * kLanes);
    uint32_t n = kRegisters;
    for (uint32_t level = 0; level < 3; ++level) {
      if (n == 1) {
        part[0] = Neighbours<Pair>(d, part[0], part[0]);
        continue;
      }
      n /= 2;
      for (uint32_t i = 0; i < n; ++i) part[i] = Neighbours<Pair>(d, part[2 * i + 1], part[2 * i]);
    }
    HWY_ALIGN float parts[HWY_MAX(kLanes, kParts)];
    for (uint32_t i = 0; i < n; ++i) hn::Store(part[i], d, parts + i * kLanes);
    std::memcpy(to, parts, kParts * sizeof(float));
  }
}

void SumsOf8(const PartRows& rows) { PartsOf8<PairSum>(rows); }
void MostOf8(const PartRows& rows) { PartsOf8<PairExtreme<true>>(rows); }
void LeastOf8(const PartRows& rows) { PartsOf8<PairExtreme<false>>(rows); }

void FoldSums(uint32_t dtype, float* values, uint32_t n, uint32_t levels, bool saturate) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<uint32_t>(hn::Lanes(d));
  for (; levels > 0; --levels) {
    n = (n + 1) / 2;
    for (uint32_t i = 0; i < n; i += lanes) {
      const auto low = hn::LoadU(d, values + 2 * i), high = hn::LoadU(d, values + 2 * i + lanes);
      auto sum = SumOfPairs(d, high, low);
      if (dtype == OPK_FLOAT16) sum = RoundSum(d, sum, saturate);
      hn::StoreU(sum, d, values + i);
    }
  }
}

template <bool kLargest, class V>
HWY_INLINE auto Better(V a, V b) {
  if constexpr (kLargest) {
    return hn::Gt(a, b);
  } else {
    return hn::Lt(a, b);
  }
}

// The extreme; of zeros of either sign, and of NaNs, any one.
template <bool kLargest>
HWY_INLINE float AnyExtreme(float* values, uint32_t n) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<uint32_t>(hn::Lanes(d));
  // Copies of the first value behind the end change neither the extreme nor its first position.
  hn::StoreU(hn::Set(d, values[0]), d, values + n);
  auto best = hn::LoadU(d, values);
  for (uint32_t i = lanes; i < n; i += lanes) {
    const auto v = hn::LoadU(d, values + i);
    best = hn::IfThenElse(hn::Or(hn::IsNaN(v), Better<kLargest>(v, best)), v, best);
    // A NaN in `best` stays, because no comparison with it holds; a NaN in v replaces.
  }
  HWY_ALIGN float parts[HWY_MAX_BYTES / 4];
  hn::Store(best, d, parts);
  float extreme = parts[0];
  for (uint32_t i = 1; i < lanes; ++i) {
    const bool better = kLargest ? parts[i] > extreme : parts[i] < extreme;
    if (better || parts[i] != parts[i]) extreme = parts[i];
  }
  return extreme;
}

// Position of the first value like `extreme`.
uint32_t FirstOf(const float* values, uint32_t n, float extreme) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<uint32_t>(hn::Lanes(d));
  const auto wanted = hn::Set(d, extreme);
  for (uint32_t i = 0; i < n; i += lanes) {
    const auto v = hn::LoadU(d, values + i);
    const auto hit = extreme != extreme ? hn::IsNaN(v) : hn::Eq(v, wanted);
    const intptr_t at = hn::FindFirstTrue(d, hit);
    if (at >= 0) return i + static_cast<uint32_t>(at);
  }
  return 0;
}

template <bool kLargest>
uint32_t Extreme(float* values, uint32_t n) {
  return FirstOf(values, n, AnyExtreme<kLargest>(values, n));
}

uint32_t FirstExtreme(float* values, uint32_t n, bool largest) {
  return largest ? Extreme<true>(values, n) : Extreme<false>(values, n);
}

// What lies at FirstExtreme's position. Where equal values have equal bits, any one will do.
float ExtremeOf(const float* values, uint32_t n, bool largest) {
  constexpr uint32_t kMost = 64, kBehind = HWY_MAX_BYTES / 4;
  HWY_ALIGN float copy[kMost + kBehind];
  std::memcpy(copy, values, n * sizeof(float));
  const float any = largest ? AnyExtreme<true>(copy, n) : AnyExtreme<false>(copy, n);
  if (any == any && any != 0.0f) return any;
  return copy[FirstOf(copy, n, any)];
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(LoadFloats);
HWY_EXPORT(FoldSums);
HWY_EXPORT(SumOf64);
HWY_EXPORT(SumsOf8);
HWY_EXPORT(MostOf8);
HWY_EXPORT(LeastOf8);
HWY_EXPORT(FirstExtreme);
HWY_EXPORT(ExtremeOf);

void load_floats(uint32_t dtype, const void* row, uint32_t n, float* values) {
  HWY_DYNAMIC_DISPATCH(LoadFloats)(dtype, row, n, values);
}
void fold_sums(uint32_t dtype, float* values, uint32_t n, uint32_t levels, bool saturate) {
  HWY_DYNAMIC_DISPATCH(FoldSums)(dtype, values, n, levels, saturate);
}
float sum_of_64(const float* values) { return HWY_DYNAMIC_DISPATCH(SumOf64)(values); }
void sums_of_8(const PartRows& rows) { HWY_DYNAMIC_DISPATCH(SumsOf8)(rows); }
void extremes_of_8(const PartRows& rows, bool largest) {
  largest ? HWY_DYNAMIC_DISPATCH(MostOf8)(rows) : HWY_DYNAMIC_DISPATCH(LeastOf8)(rows);
}
float extreme_of(const float* values, uint32_t n, bool largest) {
  return HWY_DYNAMIC_DISPATCH(ExtremeOf)(values, n, largest);
}
uint32_t first_extreme(float* values, uint32_t n, bool largest) {
  return HWY_DYNAMIC_DISPATCH(FirstExtreme)(values, n, largest);
}

}  // namespace opkit::core
#endif
