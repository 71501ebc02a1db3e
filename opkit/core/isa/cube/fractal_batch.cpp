#include "opkit/core/isa/cube/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/isa/cube/fractal_batch.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/isa/cube/fractal_batch.h"
#include "opkit/core/isa/cube/turn_inl.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<float, 16>;
using Narrow = hn::CappedTag<float, 8>;
constexpr uint32_t kRows = 16;

HWY_INLINE const hwy::float16_t* Halves(const uint8_t* at) {
  return reinterpret_cast<const hwy::float16_t*>(at);
}

// 16 halves as floats.
HWY_INLINE void ExpandRow(const uint8_t* row, float* out) {
  const Wide d;
  const hn::Rebind<hwy::float16_t, Wide> dh;
  for (size_t i = 0; i < 16; i += hn::Lanes(d))
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, Halves(row) + i)), d, out + i);
}

HWY_INLINE void SplitRow(const uint8_t* row, float* out) {
  const Narrow d;
  const hn::Rebind<hwy::float16_t, Narrow> dh;
  for (size_t i = 0; i < 8; i += hn::Lanes(d)) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, Halves(row) + i)), d, out + i);
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, Halves(row) + 8 + i)), d, out + 128 + i);
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

HWY_INLINE bool HasNan(const uint8_t* rows, size_t pitch) {
  const hn::CappedTag<uint16_t, 16> d;
  auto most = hn::Zero(d);
  for (uint32_t r = 0; r < kRows; ++r) {
    for (size_t i = 0; i < 16; i += hn::Lanes(d)) {
      const auto row = hn::LoadU(d, reinterpret_cast<const uint16_t*>(rows + r * pitch) + i);
      most = hn::Max(most, hn::And(row, hn::Set(d, uint16_t{0x7fff})));
    }
  }
  return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, uint16_t{0x7c00})));
}

HWY_INLINE void JoinFractal(const FractalBatch& b, uint32_t i) {
  if (b.right[i] == b.rows[i] + 32) {
    const hn::CappedTag<uint8_t, 64> d;
    for (uint32_t r = 0; r < 8; ++r) {
      auto* to = reinterpret_cast<uint8_t*>(b.out[i] + r * 16);
      for (size_t j = 0; j < 64; j += hn::Lanes(d))
        hn::StoreU(hn::LoadU(d, b.rows[i] + r * b.row_pitch + j), d, to + j);
    }
    return;
  }
  for (uint32_t r = 0; r < 8; ++r)
    JoinRow(b.rows[i] + r * b.row_pitch, b.right[i] + r * b.row_pitch, b.out[i] + r * 16);
}

HWY_INLINE void PairFractal(const FractalBatch& b, uint32_t i) {
  for (uint32_t r = 0; r < 8; ++r)
    PairRow(b.rows[i] + 2 * r * b.row_pitch, b.rows[i] + (2 * r + 1) * b.row_pitch,
            b.out[i] + r * 16);
}

HWY_INLINE void ExpandTurned(const FractalBatch& b, uint32_t i) {
  HWY_ALIGN float rows[256];
  for (uint32_t r = 0; r < kRows; ++r) ExpandRow(b.rows[i] + r * b.row_pitch, rows + r * 16);
  TurnBlock(rows, kRows, 64, 16, b.out[i], 64);
}

template <Turning turning>
uint32_t TurnAll(const FractalBatch& b) {
  uint32_t nans = 0;
  for (uint32_t i = 0; i < b.count; ++i) {
    if constexpr (turning == Turning::kWords) {
      TurnBlock(b.rows[i], kRows, b.row_pitch, 8, b.out[i], 64);
    } else if constexpr (turning == Turning::kJoin) {
      JoinFractal(b, i);
    } else if constexpr (turning == Turning::kPairs) {
      PairFractal(b, i);
    } else {
      if (turning == Turning::kHalvesTurned) ExpandTurned(b, i);
      for (uint32_t r = 0; r < kRows && turning != Turning::kHalvesTurned; ++r) {
        const uint8_t* row = b.rows[i] + r * b.row_pitch;
        if constexpr (turning == Turning::kHalves)
          ExpandRow(row, b.out[i] + r * 16);
        else
          SplitRow(row, b.out[i] + r * 8);
      }
      nans |= uint32_t{HasNan(b.rows[i], b.row_pitch)} << i;
    }
  }
  return nans;
}

uint32_t TurnFractals(const FractalBatch& b) {
  switch (b.turning) {
    case Turning::kWords: return TurnAll<Turning::kWords>(b);
    case Turning::kJoin: return TurnAll<Turning::kJoin>(b);
    case Turning::kPairs: return TurnAll<Turning::kPairs>(b);
    case Turning::kHalves: return TurnAll<Turning::kHalves>(b);
    case Turning::kHalvesTurned: return TurnAll<Turning::kHalvesTurned>(b);
    default: return TurnAll<Turning::kHalvesSplit>(b);
  }
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
