#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/fractal_batch.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/fractal_batch.h"
#include "opkit/core/fractals/turn_inl.h"
#include "opkit/core/lanes/half_inl.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<float, 16>;
using Narrow = hn::CappedTag<float, 8>;
constexpr uint32_t kRows = 16;

HWY_INLINE const uint16_t* Halves(const uint8_t* at) {
  return reinterpret_cast<const uint16_t*>(at);
}

// 16 halves as floats.
HWY_INLINE void ExpandRow(const uint8_t* row, float* out) {
  const Wide d;
  for (size_t i = 0; i < 16; i += hn::Lanes(d))
    hn::StoreU(LoadHalf(d, Halves(row) + i), d, out + i);
}

HWY_INLINE void SplitRow(const uint8_t* row, float* out) {
  const Narrow d;
  for (size_t i = 0; i < 8; i += hn::Lanes(d)) {
    hn::StoreU(LoadHalf(d, Halves(row) + i), d, out + i);
    hn::StoreU(LoadHalf(d, Halves(row) + 8 + i), d, out + 128 + i);
  }
}

HWY_INLINE void JoinRow(const uint8_t* left, const uint8_t* right, float* out) {
  const hn::CappedTag<uint8_t, 32> d;
  auto* to = reinterpret_cast<uint8_t*>(out);
  for (size_t i = 0; i < 32; i += hn::Lanes(d)) {
    hn::StoreU(hn::LoadU(d, left + i), d, to + i);
    hn::StoreU(hn::LoadU(d, right + i), d, to + 32 + i);
  }
}

HWY_INLINE void CopyLine(const uint8_t* from, float* out) {
  const hn::CappedTag<uint8_t, 64> d;
  auto* to = reinterpret_cast<uint8_t*>(out);
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
}

HWY_INLINE bool HasNan(const FractalBatch& b, uint32_t i) {
  const hn::CappedTag<uint16_t, 16> d;
  auto most = hn::Zero(d);
  for (uint32_t r = 0; r < kRows; ++r) {
    for (size_t j = 0; j < 16; j += hn::Lanes(d)) {
      const auto row = hn::LoadU(d, reinterpret_cast<const uint16_t*>(b.row(i, r)) + j);
      most = hn::Max(most, hn::And(row, hn::Set(d, uint16_t{0x7fff})));
    }
  }
  return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, uint16_t{0x7c00})));
}

HWY_INLINE void ExpandTurned(const FractalBatch& b, uint32_t i) {
  HWY_ALIGN float rows[256];
  for (uint32_t r = 0; r < kRows; ++r) ExpandRow(b.row(i, r), rows + r * 16);
  TurnBlock(rows, kRows, 64, 16, b.to(i), 64);
}

// Row r of all fractals: rows of neighbours lie side by side in GM.
template <Turning turning>
HWY_INLINE void TurnRows(const FractalBatch& b, uint32_t r) {
  for (uint32_t i = 0; i < b.count; ++i) {
    if constexpr (turning == Turning::kJoin) {
      if (b.right == 32)
        CopyLine(b.row(i, r), b.to(i) + r * 16);
      else
        JoinRow(b.row(i, r), b.row(i, r) + b.right, b.to(i) + r * 16);
    } else if constexpr (turning == Turning::kPairs) {
      PairRow(b.row(i, 2 * r), b.row(i, 2 * r + 1), b.to(i) + r * 16);
    } else if constexpr (turning == Turning::kHalves) {
      ExpandRow(b.row(i, r), b.to(i) + r * 16);
    } else {
      SplitRow(b.row(i, r), b.to(i) + r * 8);
    }
  }
}

template <Turning turning>
void TurnAll(const FractalBatch& b) {
  if constexpr (turning == Turning::kWords) {
    for (uint32_t i = 0; i < b.count; ++i)
      TurnBlock(b.row(i, 0), kRows, b.row_pitch, 8, b.to(i), 64);
  } else if constexpr (turning == Turning::kHalvesTurned) {
    for (uint32_t i = 0; i < b.count; ++i) ExpandTurned(b, i);
  } else {
    constexpr uint32_t rows = turning == Turning::kJoin || turning == Turning::kPairs ? 8 : kRows;
    for (uint32_t r = 0; r < rows; ++r) TurnRows<turning>(b, r);
  }
}

uint32_t MarkNans(const FractalBatch& b) {
  uint32_t nans = 0;
  for (uint32_t i = 0; i < b.count; ++i) nans |= uint32_t{HasNan(b, i)} << i;
  return nans;
}

uint32_t TurnFractals(const FractalBatch& b) {
  switch (b.turning) {
    case Turning::kWords: return TurnAll<Turning::kWords>(b), 0;
    case Turning::kJoin: return TurnAll<Turning::kJoin>(b), 0;
    case Turning::kPairs: return TurnAll<Turning::kPairs>(b), 0;
    case Turning::kHalves: TurnAll<Turning::kHalves>(b); break;
    case Turning::kHalvesTurned: TurnAll<Turning::kHalvesTurned>(b); break;
    default: TurnAll<Turning::kHalvesSplit>(b);
  }
  return b.looks_for_nan ? MarkNans(b) : 0;
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {
HWY_EXPORT(TurnFractals);

uint32_t turn_fractals(const FractalBatch& batch) {
  return HWY_DYNAMIC_DISPATCH(TurnFractals)(batch);
}

}  // namespace opkit::core
#endif
