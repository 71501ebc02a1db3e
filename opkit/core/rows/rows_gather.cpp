#include "opkit/core/rows/rows_gather.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_gather.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

OffsetReach ReachOf(const uint32_t* offsets, size_t n) {
  const hn::ScalableTag<uint32_t> d;
  auto bits = hn::Zero(d), most = hn::Zero(d), least = hn::Set(d, ~uint32_t{0});
  size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, offsets + i);
    bits = hn::Or(bits, v);
    least = hn::Min(least, v);
    most = hn::Max(most, v);
  }
  constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<uint32_t>());
  HWY_ALIGN uint32_t all[kLanes], low[kLanes], high[kLanes];
  hn::Store(bits, d, all);
  hn::Store(least, d, low);
  hn::Store(most, d, high);
  OffsetReach reach;
  const auto join = [&](uint32_t b, uint32_t l, uint32_t h) {
    reach.bits |= b;
    reach.least = std::min(reach.least, l);
    reach.most = std::max(reach.most, h);
  };
  for (size_t lane = 0; lane < hn::Lanes(d); ++lane) join(all[lane], low[lane], high[lane]);
  for (; i < n; ++i) join(offsets[i], offsets[i], offsets[i]);
  return reach;
}

template <typename T>
HWY_INLINE void GatherOneByOne(uint8_t* dst, const uint8_t* src, const uint32_t* offsets,
                               size_t n) {
  for (size_t i = 0; i < n; ++i) std::memcpy(dst + i * sizeof(T), src + offsets[i], sizeof(T));
}

// Offsets of windows often name elements that follow each other: they move as a whole.
template <typename T>
void Gather(void* dst, const uint8_t* src, const uint32_t* offsets, size_t n) {
  const hn::CappedTag<uint32_t, 16> d;
  const size_t lanes = hn::Lanes(d);
  const auto in_a_row = hn::Mul(hn::Iota(d, 0), hn::Set(d, sizeof(T)));
  auto* out = static_cast<uint8_t*>(dst);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto at = hn::LoadU(d, offsets + i);
    uint8_t* const to = out + i * sizeof(T);
    if (hn::AllTrue(d, hn::Eq(hn::Sub(at, hn::Set(d, offsets[i])), in_a_row))) {
      std::memcpy(to, src + offsets[i], lanes * sizeof(T));
    } else if constexpr (sizeof(T) == sizeof(uint32_t)) {
      const hn::RebindToSigned<decltype(d)> places;
      hn::StoreU(
          hn::GatherOffset(d, reinterpret_cast<const uint32_t*>(src), hn::BitCast(places, at)), d,
          reinterpret_cast<uint32_t*>(to));
    } else {
      GatherOneByOne<T>(to, src, offsets + i, lanes);
    }
  }
  GatherOneByOne<T>(out + i * sizeof(T), src, offsets + i, n - i);
}

void GatherRow(void* dst, const uint8_t* src, const uint32_t* offsets, size_t n, uint32_t size) {
  size == 2 ? Gather<uint16_t>(dst, src, offsets, n) : Gather<uint32_t>(dst, src, offsets, n);
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(ReachOf);
HWY_EXPORT(GatherRow);

OffsetReach reach_of(const uint32_t* offsets, size_t n) {
  return HWY_DYNAMIC_DISPATCH(ReachOf)(offsets, n);
}
void gather_row(void* dst, const uint8_t* src, const uint32_t* offsets, size_t n, uint32_t size) {
  HWY_DYNAMIC_DISPATCH(GatherRow)(dst, src, offsets, n, size);
}

}  // namespace opkit::core
#endif
