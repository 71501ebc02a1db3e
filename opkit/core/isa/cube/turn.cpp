#include "opkit/core/isa/cube/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/isa/cube/turn.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/isa/cube/turn.h"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four rows of four words, in_pitch and out_pitch words apart, become columns; the pairs of two
// rows of eight 16-bit elements become words.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void Turn4x4(const uint32_t* in, size_t in_pitch, uint32_t* out, size_t out_pitch) {
  for (size_t r = 0; r < 4; ++r) {
    for (size_t c = 0; c < 4; ++c) out[c * out_pitch + r] = in[r * in_pitch + c];
  }
}
HWY_INLINE void Pair8(const uint16_t* even, const uint16_t* odd, uint16_t* out) {
  for (size_t c = 0; c < 8; ++c) {
    out[2 * c] = even[c];
    out[2 * c + 1] = odd[c];
  }
}
#else
HWY_INLINE void Turn4x4(const uint32_t* in, size_t in_pitch, uint32_t* out, size_t out_pitch) {
  const hn::FixedTag<uint32_t, 4> d;
  const hn::FixedTag<uint64_t, 2> d2;
  const auto a = hn::LoadU(d, in), b = hn::LoadU(d, in + in_pitch),
             c = hn::LoadU(d, in + 2 * in_pitch), e = hn::LoadU(d, in + 3 * in_pitch);
  const auto ab_low = hn::BitCast(d2, hn::InterleaveLower(d, a, b));
  const auto ce_low = hn::BitCast(d2, hn::InterleaveLower(d, c, e));
  const auto ab_high = hn::BitCast(d2, hn::InterleaveUpper(d, a, b));
  const auto ce_high = hn::BitCast(d2, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, ab_low, ce_low)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, ab_low, ce_low)), d, out + out_pitch);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, ab_high, ce_high)), d, out + 2 * out_pitch);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, ab_high, ce_high)), d, out + 3 * out_pitch);
}
HWY_INLINE void Pair8(const uint16_t* even_row, const uint16_t* odd_row, uint16_t* out) {
  const hn::FixedTag<uint16_t, 8> d;
  const auto even = hn::LoadU(d, even_row), odd = hn::LoadU(d, odd_row);
  hn::StoreU(hn::InterleaveLower(d, even, odd), d, out);
  hn::StoreU(hn::InterleaveUpper(d, even, odd), d, out + 8);
}
#endif

HWY_INLINE void TurnBlock(const void* from, uint32_t rows, size_t in_pitch, uint32_t columns,
                          void* to, size_t out_pitch) {
  const auto* in = static_cast<const uint32_t*>(from);
  auto* out = static_cast<uint32_t*>(to);
  for (uint32_t r = 0; r < rows; r += 4) {
    for (uint32_t c = 0; c < columns; c += 4)
      Turn4x4(in + r * in_pitch + c, in_pitch, out + c * out_pitch + r, out_pitch);
  }
}

void TurnWords(const void* fractal, void* rows) { TurnBlock(fractal, 16, 8, 8, rows, 16); }
void TurnWordsBack(const void* rows, void* fractal) { TurnBlock(rows, 8, 16, 16, fractal, 8); }

void PairRows(const void* rows, void* words) {
  const auto* in = static_cast<const uint16_t*>(rows);
  auto* out = static_cast<uint16_t*>(words);
  for (uint32_t k = 0; k < 8; ++k, in += 32, out += 32) {
    for (uint32_t c = 0; c < 16; c += 8) Pair8(in + c, in + 16 + c, out + 2 * c);
  }
}

// Pairs of rows become words, and words then change places as a whole.
void TurnHalves(const void* in, void* out) {
  HWY_ALIGN uint32_t words[128];
  PairRows(in, words);
  TurnBlock(words, 8, 16, 16, out, 8);
}

using Lane = hn::CappedTag<float, 16>;
using HalfLane = hn::Rebind<hwy::float16_t, Lane>;

void ExpandAll(const void* halves, float* out) {
  const Lane d;
  const auto* in = static_cast<const hwy::float16_t*>(halves);
  for (size_t i = 0; i < kFractalHalves; i += hn::Lanes(d))
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(HalfLane(), in + i)), d, out + i);
}

void NarrowHalves(const float* in, void* halves) {
  const Lane d;
  auto* out = static_cast<hwy::float16_t*>(halves);
  for (size_t i = 0; i < kFractalHalves; i += hn::Lanes(d))
    hn::StoreU(hn::DemoteTo(HalfLane(), hn::LoadU(d, in + i)), HalfLane(), out + i);
}

// Two matrices of rows of 8 are rows of 16.
void NarrowSplitHalves(const float* in, void* halves) {
  HWY_ALIGN float rows[kFractalHalves];
  for (uint32_t r = 0; r < 16; ++r) {
    std::memcpy(rows + r * 16, in + r * 8, 32);
    std::memcpy(rows + r * 16 + 8, in + 128 + r * 8, 32);
  }
  NarrowHalves(rows, halves);
}

// Least and largest of the values without their sign, as integers. Zero counts as the largest.
template <class D>
HWY_INLINE void Extremes(D d, const hn::TFromD<D>* in, size_t count, hn::TFromD<D>* least,
                         hn::TFromD<D>* most) {
  using T = hn::TFromD<D>;
  constexpr T kMost = static_cast<T>(~T{0});
  const auto sign = hn::Set(d, static_cast<T>(kMost >> 1)), one = hn::Set(d, T{1});
  auto low = hn::Set(d, kMost), high = hn::Zero(d);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto v = hn::And(hn::LoadU(d, in + i), sign);
    low = hn::Min(low, hn::Sub(v, one));
    high = hn::Max(high, v);
  }
  HWY_ALIGN T lows[hn::MaxLanes(D())], highs[hn::MaxLanes(D())];
  hn::Store(low, d, lows);
  hn::Store(high, d, highs);
  *least = *std::min_element(lows, lows + hn::Lanes(d));
  *most = *std::max_element(highs, highs + hn::Lanes(d));
  for (; i < count; ++i) {
    const T v = static_cast<T>(in[i] & (kMost >> 1));
    *least = std::min(*least, static_cast<T>(v - 1));
    *most = std::max(*most, v);
  }
}

void Extremes16(const uint16_t* in, size_t count, uint16_t* least, uint16_t* most) {
  Extremes(hn::ScalableTag<uint16_t>(), in, count, least, most);
}
void Extremes32(const uint32_t* in, size_t count, uint32_t* least, uint32_t* most) {
  Extremes(hn::ScalableTag<uint32_t>(), in, count, least, most);
}

// Of a fractal of halves.
HWY_INLINE bool HasNan(const void* fractal) {
  const hn::CappedTag<uint16_t, 32> d;
  const auto* in = static_cast<const uint16_t*>(fractal);
  auto most = hn::Zero(d);
  for (size_t i = 0; i < kFractalHalves; i += hn::Lanes(d))
    most = hn::Max(most, hn::And(hn::LoadU(d, in + i), hn::Set(d, uint16_t{0x7fff})));
  return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, uint16_t{0x7c00})));
}

bool ExpandHalves(const void* fractal, float* out) {
  if (HasNan(fractal)) return false;
  ExpandAll(fractal, out);
  return true;
}

bool ExpandHalvesSplit(const void* fractal, float* out) {
  if (HasNan(fractal)) return false;
  const hn::CappedTag<float, 8> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> dh;
  const auto* in = static_cast<const hwy::float16_t*>(fractal);
  for (uint32_t i = 0; i < 128; i += hn::Lanes(d)) {
    const hwy::float16_t* row = in + i / 8 * 16 + i % 8;
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, row)), d, out + i);
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, row + 8)), d, out + 128 + i);
  }
  return true;
}

bool ExpandHalvesTurned(const void* fractal, float* rows) {
  HWY_ALIGN float columns[kFractalHalves];
  ExpandAll(fractal, columns);
  TurnBlock(columns, 16, 16, 16, rows, 16);
  return !HasNan(fractal);
}

void JoinRows(const void* left, const void* right, float* rows) {
  const hn::CappedTag<float, 8> d;
  const auto* a = static_cast<const float*>(left);
  const auto* b = static_cast<const float*>(right);
  for (uint32_t i = 0; i < 64; i += hn::Lanes(d)) {
    float* row = rows + i / 8 * 16 + i % 8;
    hn::StoreU(hn::LoadU(d, a + i), d, row);
    hn::StoreU(hn::LoadU(d, b + i), d, row + 8);
  }
}

void CopyFractal(const void* from, void* to) {
  const hn::CappedTag<uint8_t, 64> d;
  const auto* in = static_cast<const uint8_t*>(from);
  auto* out = static_cast<uint8_t*>(to);
  for (size_t i = 0; i < kFractalBytes; i += hn::Lanes(d))
    hn::StoreU(hn::LoadU(d, in + i), d, out + i);
}

void RowsToPanels(const uint8_t* rows, size_t row_pitch, size_t pieces, uint8_t* panels,
                  size_t panel_pitch) {
  const hn::CappedTag<uint8_t, 32> d;
  for (size_t i = 0; i < pieces; ++i, rows += 32, panels += panel_pitch) {
    for (size_t j = 0; j < 32; j += hn::Lanes(d)) {
      hn::StoreU(hn::LoadU(d, rows + j), d, panels + j);
      hn::StoreU(hn::LoadU(d, rows + row_pitch + j), d, panels + 32 + j);
    }
  }
}

void PanelsToRow(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row) {
  const hn::CappedTag<uint8_t, 64> d;
  for (size_t i = 0; i < count; ++i, panels += panel_pitch, row += 64) {
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, panels + j), d, row + j);
  }
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(TurnWords);
HWY_EXPORT(TurnWordsBack);
HWY_EXPORT(TurnHalves);
HWY_EXPORT(ExpandHalves);
HWY_EXPORT(ExpandHalvesTurned);
HWY_EXPORT(ExpandHalvesSplit);
HWY_EXPORT(JoinRows);
HWY_EXPORT(CopyFractal);
HWY_EXPORT(RowsToPanels);
HWY_EXPORT(PanelsToRow);
HWY_EXPORT(NarrowSplitHalves);
HWY_EXPORT(NarrowHalves);
HWY_EXPORT(PairRows);
HWY_EXPORT(Extremes16);
HWY_EXPORT(Extremes32);

void turn_words(const void* fractal, void* rows) { HWY_DYNAMIC_DISPATCH(TurnWords)(fractal, rows); }
void turn_words_back(const void* rows, void* fractal) {
  HWY_DYNAMIC_DISPATCH(TurnWordsBack)(rows, fractal);
}
void turn_halves(const void* in, void* out) { HWY_DYNAMIC_DISPATCH(TurnHalves)(in, out); }
bool expand_halves(const void* fractal, float* out) {
  return HWY_DYNAMIC_DISPATCH(ExpandHalves)(fractal, out);
}
bool expand_halves_turned(const void* fractal, float* rows) {
  return HWY_DYNAMIC_DISPATCH(ExpandHalvesTurned)(fractal, rows);
}
bool expand_halves_split(const void* fractal, float* out) {
  return HWY_DYNAMIC_DISPATCH(ExpandHalvesSplit)(fractal, out);
}
void join_rows(const void* left, const void* right, float* rows) {
  HWY_DYNAMIC_DISPATCH(JoinRows)(left, right, rows);
}
void copy_fractal(const void* from, void* to) { HWY_DYNAMIC_DISPATCH(CopyFractal)(from, to); }
void rows_to_panels(const uint8_t* rows, size_t row_pitch, size_t pieces, uint8_t* panels,
                    size_t panel_pitch) {
  HWY_DYNAMIC_DISPATCH(RowsToPanels)(rows, row_pitch, pieces, panels, panel_pitch);
}
void panels_to_row(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row) {
  HWY_DYNAMIC_DISPATCH(PanelsToRow)(panels, panel_pitch, count, row);
}
void narrow_split_halves(const float* in, void* fractal) {
  HWY_DYNAMIC_DISPATCH(NarrowSplitHalves)(in, fractal);
}
void narrow_halves(const float* in, void* fractal) {
  HWY_DYNAMIC_DISPATCH(NarrowHalves)(in, fractal);
}
void pair_rows(const void* rows, void* words) { HWY_DYNAMIC_DISPATCH(PairRows)(rows, words); }

void Magnitudes::join(const Magnitudes& other) {
  least = std::min(least, other.least);
  special = special || other.special;
}

// `smallest` is one less than the smallest value, and the largest number of all when all are zero.
Magnitudes magnitudes_bf16(const void* values, size_t count) {
  uint16_t smallest, largest;
  HWY_DYNAMIC_DISPATCH(Extremes16)
  (static_cast<const uint16_t*>(values), count, &smallest, &largest);
  Magnitudes m;
  if (smallest != 0xffff) m.least = (smallest + 1u) >> 7;
  m.special = largest >= 0x7f80;
  return m;
}
Magnitudes magnitudes_f32(const void* values, size_t count) {
  uint32_t smallest, largest;
  HWY_DYNAMIC_DISPATCH(Extremes32)
  (static_cast<const uint32_t*>(values), count, &smallest, &largest);
  Magnitudes m;
  if (smallest != 0xffffffff) m.least = (smallest + 1u) >> 23;
  m.special = largest >= 0x7f800000;
  return m;
}

}  // namespace opkit::core
#endif
