#include "opkit/core/isa/cube/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/isa/cube/multiply.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/isa/cube/multiply.h"

#include <algorithm>
#include <cstring>

#include "opkit/num/half.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lane = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Lane>;
constexpr size_t kLanes = hn::MaxLanes(Lane());
constexpr uint32_t kColumns = 16;
constexpr uint32_t kVecs = kColumns / kLanes;  // per panel row
// Accumulators are kept in registers: 16 of 32 with 16 lanes, 8 of 16 otherwise.
constexpr uint32_t kWide = kLanes == 16 ? 2 : 1;  // panels of the wide tile
constexpr uint32_t kRows = kLanes == 16 ? 8 : kVecs >= 8 ? 1 : 8 / kVecs;

template <Products kind>
HWY_INLINE Vec Accumulate(Vec a, Vec b, Vec sum) {
  return kind == Products::kRounded ? hn::Add(hn::Mul(a, b), sum) : hn::MulAdd(a, b, sum);
}

template <Products kind>
HWY_INLINE Vec Start(const void* c, size_t at) {
  const Lane d;
  return kind == Products::kInteger ? hn::Zero(d) : hn::LoadU(d, static_cast<const float*>(c) + at);
}

template <Products kind>
HWY_INLINE void Finish(Vec sum, void* c, size_t at) {
  const Lane d;
  if constexpr (kind == Products::kInteger) {
    const hn::RebindToSigned<Lane> di;
    int32_t* p = static_cast<int32_t*>(c) + at;
    hn::StoreU(hn::Add(hn::ConvertTo(di, sum), hn::LoadU(di, p)), di, p);
  } else {
    hn::StoreU(sum, d, static_cast<float*>(c) + at);
  }
}

// kRows rows and `panels` panels of C over the rows k0 to k1 of B.
template <Products kind, uint32_t panels>
HWY_INLINE void Tile(const PanelProduct& p, uint32_t row, uint32_t panel, uint32_t k0,
                     uint32_t k1) {
  const Lane d;
  Vec sum[kRows][panels * kVecs];
  const auto place = [&](uint32_t r, uint32_t v) {
    return (size_t{panel + v / kVecs} * p.c_rows + row + r) * kColumns + v % kVecs * kLanes;
  };
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v) sum[r][v] = Start<kind>(p.c, place(r, v));
  }
  const float* a = p.a + size_t{row} * p.a_pitch;
  const float* b = p.b + size_t{panel} * p.b_panel_rows * kColumns;
  const size_t next = size_t{p.b_panel_rows} * kColumns;
  for (uint32_t k = k0; k < k1; ++k) {
    Vec column[panels * kVecs];
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v)
      column[v] = hn::LoadU(d, b + v / kVecs * next + size_t{k} * kColumns + v % kVecs * kLanes);
    HWY_UNROLL(8)
    for (uint32_t r = 0; r < kRows; ++r) {
      const Vec value = hn::Set(d, a[size_t{r} * p.a_pitch + k]);
      HWY_UNROLL(8)
      for (uint32_t v = 0; v < panels * kVecs; ++v)
        sum[r][v] = Accumulate<kind>(value, column[v], sum[r][v]);
    }
  }
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v) Finish<kind>(sum[r][v], p.c, place(r, v));
  }
}

// Sums of 1024 products of at most 2^14 are exact in float.
constexpr uint32_t kIntegerK = 1024;
// Rows of B that stay in the first cache.
constexpr uint32_t kFloatK = 256;

template <Products kind>
void Multiply(const PanelProduct& p) {
  constexpr uint32_t step = kind == Products::kInteger ? kIntegerK : kFloatK;
  for (uint32_t k0 = 0; k0 < p.k; k0 += step) {
    const uint32_t k1 = std::min(p.k, k0 + step);
    for (uint32_t panel = 0; panel < p.panels;) {
      const bool wide = panel + kWide <= p.panels;
      for (uint32_t row = 0; row < p.rows; row += kRows) {
        if (wide)
          Tile<kind, kWide>(p, row, panel, k0, k1);
        else
          Tile<kind, 1>(p, row, panel, k0, k1);
      }
      panel += wide ? kWide : 1;
    }
  }
}

void MultiplyPanels(Products kind, const PanelProduct& p) {
  switch (kind) {
    case Products::kExact: return Multiply<Products::kExact>(p);
    case Products::kRounded: return Multiply<Products::kRounded>(p);
    case Products::kInteger: return Multiply<Products::kInteger>(p);
  }
}

void ExpandHalf(const uint16_t* src, size_t count, float* dst) {
  const Lane d;
  const hn::Rebind<hwy::float16_t, Lane> dh;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto h = hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(src + i));
    hn::StoreU(hn::PromoteTo(d, h), d, dst + i);
  }
  for (; i < count; ++i) dst[i] = num_detail::half_bits_to_float(src[i]);
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(MultiplyPanels);
HWY_EXPORT(ExpandHalf);

namespace {

float round_hf32(float value, uint8_t mode) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (mode == 0 || (bits & 0x7f800000u) == 0x7f800000u) return value;
  bits += 0xfffu + (mode == 1 ? (bits >> 13) & 1u : 0u);
  bits &= ~0x1fffu;
  std::memcpy(&value, &bits, 4);
  return value;
}

void expand_int4(const uint8_t* src, uint64_t first, uint32_t count, float* dst) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = first + i;
    const int nibble = src[at / 2] >> (at % 2 * 4) & 15;
    dst[i] = static_cast<float>(nibble >= 8 ? nibble - 16 : nibble);
  }
}

void expand_bfloat16(const uint16_t* src, uint32_t count, float* dst) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bits = uint32_t{src[i]} << 16;
    std::memcpy(dst + i, &bits, 4);
  }
}

}  // namespace

void multiply_panels(Products kind, const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(MultiplyPanels)(kind, p);
}

void expand_row(uint32_t dtype, const void* src, uint64_t first, uint32_t count, uint8_t hf32,
                float* dst) {
  switch (dtype) {
    case OPK_FLOAT16:
      return HWY_DYNAMIC_DISPATCH(ExpandHalf)(static_cast<const uint16_t*>(src) + first, count,
                                              dst);
    case OPK_BFLOAT16:
      return expand_bfloat16(static_cast<const uint16_t*>(src) + first, count, dst);
    case OPK_INT8:
      for (uint32_t i = 0; i < count; ++i)
        dst[i] = static_cast<float>(static_cast<const int8_t*>(src)[first + i]);
      return;
    case OPK_INT4: return expand_int4(static_cast<const uint8_t*>(src), first, count, dst);
    default:
      for (uint32_t i = 0; i < count; ++i)
        dst[i] = round_hf32(static_cast<const float*>(src)[first + i], hf32);
  }
}

}  // namespace opkit::core
#endif
