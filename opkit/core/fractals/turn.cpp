#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/turn.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/turn.h"
#include "opkit/core/fractals/turn_inl.h"
#include "opkit/core/lanes/half_inl.h"

#include <algorithm>
#include <cstring>

#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void TurnWords(const void* fractal, void* rows) { TurnBlock(fractal, 16, 32, 8, rows, 64); }
void TurnWordsBack(const void* rows, void* fractal) { TurnBlock(rows, 8, 64, 16, fractal, 32); }

// Pairs of rows become words, and words then change places as a whole.
void TurnHalves(const void* in, void* out) {
  HWY_ALIGN uint32_t words[128];
  const auto* row = static_cast<const uint16_t*>(in);
  for (uint32_t k = 0; k < 8; ++k, row += 32) PairRow(row, row + 16, words + 16 * k);
  TurnBlock(words, 8, 64, 16, out, 32);
}

using Lane = hn::CappedTag<float, 16>;

void NarrowHalves(const float* in, void* halves) {
  const Lane d;
  auto* out = static_cast<uint16_t*>(halves);
  for (size_t i = 0; i < kFractalHalves; i += hn::Lanes(d))
    StoreHalf(d, hn::LoadU(d, in + i), out + i);
}

// Narrows 16 rows of 16 floats, whose left and right halves lie in two matrices with rows of 8.
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
HWY_INLINE void Extremes(D d, const uint8_t* in, size_t bytes, size_t parts, size_t pitch,
                         hn::TFromD<D>* least, hn::TFromD<D>* most) {
  using T = hn::TFromD<D>;
  constexpr T kMost = static_cast<T>(~T{0}), kSign = kMost >> 1;
  const auto sign = hn::Set(d, kSign), one = hn::Set(d, T{1});
  const size_t count = bytes / sizeof(T);
  auto low = hn::Set(d, kMost), high = hn::Zero(d);
  *least = kMost;
  *most = 0;
  for (size_t p = 0; p < parts; ++p, in += pitch) {
    const T* part = reinterpret_cast<const T*>(in);
    size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
      const auto v = hn::And(hn::LoadU(d, part + i), sign);
      low = hn::Min(low, hn::Sub(v, one));
      high = hn::Max(high, v);
    }
    for (; i < count; ++i) {
      const T v = static_cast<T>(part[i] & kSign);
      *least = std::min(*least, static_cast<T>(v - 1));
      *most = std::max(*most, v);
    }
  }
  HWY_ALIGN T lows[hn::MaxLanes(D())], highs[hn::MaxLanes(D())];
  hn::Store(low, d, lows);
  hn::Store(high, d, highs);
  *least = std::min(*least, *std::min_element(lows, lows + hn::Lanes(d)));
  *most = std::max(*most, *std::max_element(highs, highs + hn::Lanes(d)));
}

void Extremes16(const uint8_t* in, size_t bytes, size_t parts, size_t pitch, uint16_t* least,
                uint16_t* most) {
  Extremes(hn::ScalableTag<uint16_t>(), in, bytes, parts, pitch, least, most);
}
void Extremes32(const uint8_t* in, size_t bytes, uint32_t* least, uint32_t* most) {
  Extremes(hn::ScalableTag<uint32_t>(), in, bytes, 1, 0, least, most);
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

void StreamRow(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row) {
  const hn::CappedTag<uint8_t, 64> d;
  for (size_t i = 0; i < count; ++i, panels += panel_pitch, row += 64) {
    for (size_t j = 0; j < 64; j += hn::Lanes(d)) hn::Stream(hn::LoadU(d, panels + j), d, row + j);
  }
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(TurnWords);
HWY_EXPORT(TurnWordsBack);
HWY_EXPORT(TurnHalves);
HWY_EXPORT(CopyFractal);
HWY_EXPORT(RowsToPanels);
HWY_EXPORT(PanelsToRow);
HWY_EXPORT(StreamRow);
HWY_EXPORT(NarrowSplitHalves);
HWY_EXPORT(NarrowHalves);
HWY_EXPORT(Extremes16);
HWY_EXPORT(Extremes32);

void turn_words(const void* fractal, void* rows) { HWY_DYNAMIC_DISPATCH(TurnWords)(fractal, rows); }
void turn_words_back(const void* rows, void* fractal) {
  HWY_DYNAMIC_DISPATCH(TurnWordsBack)(rows, fractal);
}
void turn_halves(const void* in, void* out) { HWY_DYNAMIC_DISPATCH(TurnHalves)(in, out); }
void copy_fractal(const void* from, void* to) { HWY_DYNAMIC_DISPATCH(CopyFractal)(from, to); }
void rows_to_panels(const uint8_t* rows, size_t row_pitch, size_t pieces, uint8_t* panels,
                    size_t panel_pitch) {
  HWY_DYNAMIC_DISPATCH(RowsToPanels)(rows, row_pitch, pieces, panels, panel_pitch);
}
void panels_to_row(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row) {
  HWY_DYNAMIC_DISPATCH(PanelsToRow)(panels, panel_pitch, count, row);
}
void stream_row(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row) {
  HWY_DYNAMIC_DISPATCH(StreamRow)(panels, panel_pitch, count, row);
}
void end_of_streams() { hwy::FlushStream(); }
void narrow_split_halves(const float* in, void* fractal) {
  HWY_DYNAMIC_DISPATCH(NarrowSplitHalves)(in, fractal);
}
void narrow_halves(const float* in, void* fractal) {
  HWY_DYNAMIC_DISPATCH(NarrowHalves)(in, fractal);
}

void Magnitudes::join(const Magnitudes& other) {
  least = std::min(least, other.least);
  special = special || other.special;
}

// `smallest` is one less than the smallest value, and the largest number of all when all are zero.
Magnitudes magnitudes_bf16(const void* values, size_t bytes, size_t parts, size_t pitch) {
  uint16_t smallest, largest;
  HWY_DYNAMIC_DISPATCH(Extremes16)
  (static_cast<const uint8_t*>(values), bytes, parts, pitch, &smallest, &largest);
  Magnitudes m;
  if (smallest != 0xffff) m.least = (smallest + 1u) >> 7;
  m.special = largest >= 0x7f80;
  return m;
}
Magnitudes magnitudes_f32(const void* values, size_t count) {
  uint32_t smallest, largest;
  HWY_DYNAMIC_DISPATCH(Extremes32)
  (static_cast<const uint8_t*>(values), count * 4, &smallest, &largest);
  Magnitudes m;
  if (smallest != 0xffffffff) m.least = (smallest + 1u) >> 23;
  m.special = largest >= 0x7f800000;
  return m;
}

}  // namespace opkit::core
#endif
