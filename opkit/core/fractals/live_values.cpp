#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/live_values.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/live_values.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lane = hn::CappedTag<float, 16>;
constexpr size_t kLanes = hn::MaxLanes(Lane());
constexpr uint32_t kColumns = 16, kEight = 8;
constexpr uint32_t kVecs = kColumns / kLanes;  // per panel row

// Bits of all elements of B for value k of every stretch.
HWY_INLINE bool IsSilentInB(const PanelProduct& p, uint32_t k) {
  const hn::RebindToUnsigned<Lane> d;
  for (uint32_t s = 0; s < p.k / p.run; ++s) {
    auto bits = hn::Zero(d);
    for (uint32_t v = 0; v < p.panels * kVecs; ++v) {
      const float* at =
          p.b + s * p.b_run + v / kVecs * p.b_panel + k * kColumns + v % kVecs * kLanes;
      bits = hn::Or(bits, hn::LoadU(d, reinterpret_cast<const uint32_t*>(at)));
    }
    if (!hn::AllTrue(d, hn::Eq(bits, hn::Zero(d)))) return false;
  }
  return true;
}

// Eight values of k of every row and stretch of A, from `a` on: the bits of each value. Rows of a
// block lie together, so that A is read in its order.
HWY_INLINE void BitsOfA(const PanelProduct& p, const float* a, uint32_t* eight) {
  const hn::CappedTag<uint32_t, kEight> d;
  constexpr size_t kStep = hn::MaxLanes(d);
  for (size_t i = 0; i < kEight; i += kStep) {
    auto even = hn::Zero(d), odd = even;
    for (uint32_t row = 0; row < p.rows; row += 16) {
      const float* stretch = a + row / 16 * p.a_block + i;
      const uint32_t rows = std::min(16u, p.rows - row);
      for (uint32_t s = 0; s < p.k / p.run; ++s, stretch += p.a_run) {
        const auto* at = reinterpret_cast<const uint32_t*>(stretch);
        for (uint32_t r = 0; r + 2 <= rows; r += 2, at += 2 * p.a_row) {
          even = hn::Or(even, hn::LoadU(d, at));
          odd = hn::Or(odd, hn::LoadU(d, at + p.a_row));
        }
        if (rows % 2 != 0) even = hn::Or(even, hn::LoadU(d, at));
      }
    }
    hn::StoreU(hn::Or(even, odd), d, eight + i);
  }
}

uint32_t LiveValues(const PanelProduct& p) {
  uint32_t live = p.run;
  while (live > 1 && IsSilentInB(p, live - 1)) --live;
  for (uint32_t k0 = p.run - kEight; live < p.run && k0 + kEight > live; k0 -= kEight) {
    uint32_t bits[kEight];
    BitsOfA(p, p.a + k0 / kEight * p.a_eight, bits);
    for (uint32_t k = kEight; k-- > 0 && k0 + k >= live;) {
      if (bits[k] != 0) live = k0 + k + 1;
    }
    if (k0 == 0) break;
  }
  return live == p.run ? 0 : live;
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(LiveValues);

uint32_t live_values(Products kind, const PanelProduct& p) {
  if (kind != Products::kFused && kind != Products::kExact) return 0;
  if (p.b_rows || p.panels == 0 || p.run % 8 != 0 || p.k % p.run != 0) return 0;
  return HWY_DYNAMIC_DISPATCH(LiveValues)(p);
}

}  // namespace opkit::core
#endif
