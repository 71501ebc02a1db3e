#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/multiply.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/multiply.h"
#include "opkit/core/lanes/half_inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lane = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Lane>;
constexpr size_t kLanes = hn::MaxLanes(Lane());
constexpr uint32_t kColumns = 16;
constexpr uint32_t kVecs = kColumns / kLanes;  // counts the vectors in a panel's row
// Accumulators are kept in registers: 24 of 32 with 16 lanes, 8 of 16 otherwise.
constexpr uint32_t kWide = kLanes == 16 ? 3 : 1;  // panels of the widest tile
constexpr uint32_t kRows = kLanes == 16 ? 8 : kVecs >= 8 ? 1 : 8 / kVecs;
// The order of bfloat16 needs two accumulators per element.
constexpr uint32_t kPairRows = kLanes == 16 ? 4 : kVecs >= 4 ? 1 : 4 / kVecs;
constexpr uint32_t kGroup = 16;  // values of k
constexpr uint32_t kEight = 8;
// Rows of B that stay in the first cache with three panels. Integer sums stay exact in float.
constexpr uint32_t kStepK = 128;

// One rounding, on hosts without the instruction too.
HWY_INLINE Vec Fuse(Vec a, Vec b, Vec sum) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, sum);
#else
  const Lane d;
  HWY_ALIGN float x[kLanes], y[kLanes], z[kLanes];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  hn::Store(sum, d, z);
  for (size_t i = 0; i < kLanes; ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

template <Products kind>
HWY_INLINE Vec Accumulate(Vec a, Vec b, Vec sum) {
  return kind == Products::kFused || kind == Products::kPairs ? Fuse(a, b, sum)
                                                              : hn::MulAdd(a, b, sum);
}

template <Products kind>
HWY_INLINE Vec Start(const PanelProduct& p, size_t at) {
  const Lane d;
  if (kind == Products::kInteger || kind == Products::kPairs || p.fresh) return hn::Zero(d);
  return hn::LoadU(d, static_cast<const float*>(p.c) + at);
}

template <Products kind>
HWY_INLINE void Finish(const PanelProduct& p, Vec sum, size_t at) {
  const Lane d;
  if constexpr (kind == Products::kInteger) {
    const hn::RebindToSigned<Lane> di;
    int32_t* c = static_cast<int32_t*>(p.c) + at;
    hn::StoreU(hn::Add(hn::ConvertTo(di, sum), hn::LoadU(di, c)), di, c);
  } else {
    hn::StoreU(sum, d, static_cast<float*>(p.c) + at);
  }
}

HWY_INLINE size_t PlaceInC(const PanelProduct& p, uint32_t row, uint32_t panel) {
  return (size_t{panel} * p.c_rows + row) * kColumns;
}

HWY_INLINE const float* RowsOfA(const PanelProduct& p, uint32_t row) {
  return p.a + row / 16 * p.a_block + row % 16 * p.a_row;
}

// The 16-column rows of `panels` panels, `pitch` floats apart, for one value of k.
template <uint32_t panels>
HWY_INLINE void LoadColumns(const float* b, size_t pitch, Vec* column) {
  const Lane d;
  HWY_UNROLL(8)
  for (uint32_t v = 0; v < panels * kVecs; ++v)
    column[v] = hn::LoadU(d, b + v / kVecs * pitch + v % kVecs * kLanes);
}

template <uint32_t rows, uint32_t panels>
using Sums = Vec[rows][panels * kVecs];

// One value of k: `a` points to it in the first row.
template <Products kind, uint32_t rows, uint32_t panels>
HWY_INLINE void AddColumns(const float* a, size_t a_row, const Vec* column,
                           Sums<rows, panels>& sum) {
  const Lane d;
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < rows; ++r) {
    const Vec value = hn::Set(d, a[r * a_row]);
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v)
      sum[r][v] = Accumulate<kind>(value, column[v], sum[r][v]);
  }
}

template <Products kind, uint32_t rows, uint32_t panels>
HWY_INLINE void AddOne(const float* a, size_t a_row, const float* b, size_t b_panel,
                       Sums<rows, panels>& sum) {
  Vec column[panels * kVecs];
  LoadColumns<panels>(b, b_panel, column);
  AddColumns<kind, rows, panels>(a, a_row, column, sum);
}

// `count` values of k, or `run` of them when that is not 0; eight at a time, a_eight apart in A.
// What is read ahead comes in between, so that it never takes all of the host's fill buffers. Rows
// of A that are a whole line apart cost a tenth of the rate.
template <Products kind, uint32_t rows, uint32_t panels, uint32_t run>
HWY_INLINE void AddStretch(const float* a, size_t a_row, size_t a_eight, const float* b,
                           size_t b_panel, uint32_t count, ReadAhead* ahead,
                           Sums<rows, panels>& sum) {
  HWY_UNROLL(1)
  for (uint32_t k0 = 0; k0 < (run == 0 ? count : run); k0 += kEight, a += a_eight) {
    const uint32_t end = run == 0 ? std::min(kEight, count - k0) : kEight;
    if (ahead) ahead->step();
    if constexpr (run != 0) {
      HWY_UNROLL(1)
      for (uint32_t k = 0; k < kEight; k += 2, b += 2 * kColumns) {
        HWY_UNROLL(2)
        for (uint32_t i = 0; i < 2; ++i)
          AddOne<kind, rows, panels>(a + k + i, a_row, b + i * kColumns, b_panel, sum);
      }
    } else {
      HWY_UNROLL(1)
      for (uint32_t k = 0; k < end; ++k, b += kColumns)
        AddOne<kind, rows, panels>(a + k, a_row, b, b_panel, sum);
    }
  }
}

template <Products kind, uint32_t rows, uint32_t panels>
HWY_INLINE void StartTile(const PanelProduct& p, size_t c, Sums<rows, panels>& sum) {
  const size_t c_panel = size_t{p.c_rows} * kColumns;
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v)
      sum[r][v] = Start<kind>(p, c + v / kVecs * c_panel + r * kColumns + v % kVecs * kLanes);
  }
}

// The +0 that are left out would have been added last, and would have made -0 to +0.
template <uint32_t rows, uint32_t panels>
HWY_INLINE void AddSilent(Sums<rows, panels>& sum) {
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v) sum[r][v] = hn::Add(sum[r][v], hn::Zero(Lane()));
  }
}

template <Products kind, uint32_t rows, uint32_t panels>
HWY_INLINE void FinishTile(const PanelProduct& p, size_t c, const Sums<rows, panels>& sum) {
  const size_t c_panel = size_t{p.c_rows} * kColumns;
  HWY_UNROLL(8)
  for (uint32_t r = 0; r < rows; ++r) {
    HWY_UNROLL(8)
    for (uint32_t v = 0; v < panels * kVecs; ++v)
      Finish<kind>(p, sum[r][v], c + v / kVecs * c_panel + r * kColumns + v % kVecs * kLanes);
  }
}

// rows x panels of C. run: that of p, with A in blocks of eight values of k, or 0: as p says.
template <Products kind, uint32_t rows, uint32_t panels, uint32_t run>
HWY_INLINE void Tile(const PanelProduct& p, uint32_t row, uint32_t panel) {
  const size_t c = PlaceInC(p, row, panel);
  Sums<rows, panels> sum;
  StartTile<kind, rows, panels>(p, c, sum);
  const float* a = RowsOfA(p, row);
  const float* b = p.b + size_t{panel} * p.b_panel;
  const size_t a_row = run == 0 ? p.a_row : kEight, b_panel = p.b_panel;
  const size_t a_eight = run == 0 ? p.a_eight : 16 * kEight;
  const uint32_t stretch = run == 0 ? p.run : run, rest = p.k % stretch;
  const uint32_t taken = run == 0 && p.live != 0 ? p.live : stretch;
  for (uint32_t left = p.k / stretch; left != 0; --left, a += p.a_run, b += p.b_run) {
    AddStretch<kind, rows, panels, run>(a, a_row, a_eight, b, b_panel, taken, p.ahead, sum);
  }
  AddStretch<kind, rows, panels, 0>(a, a_row, a_eight, b, b_panel, rest, p.ahead, sum);
  if (run == 0 && p.live != 0) AddSilent<rows, panels>(sum);
  FinishTile<kind, rows, panels>(p, c, sum);
}

template <Products kind>
constexpr size_t kElementOfB = kind == Products::kExact ? 2 : 4;  // bytes

template <Products kind>
HWY_INLINE Vec ElementsOfB(const uint8_t* at) {
  const Lane d;
  if constexpr (kind == Products::kExact) {
    return LoadHalf(d, reinterpret_cast<const uint16_t*>(at));
  } else {
    return hn::LoadU(d, reinterpret_cast<const float*>(at));
  }
}

// One row of some panels of B, from GM to its place in b. A row ahead is fetched, not far ahead:
// rows that are whole pages apart meet in the same sets of the host's cache.
template <Products kind, uint32_t panels, class M>
HWY_INLINE void PackColumns(const uint8_t* from, size_t pitch, float* b, size_t b_panel,
                            Vec* column, M& nan) {
  constexpr uint32_t kAhead = 4;
  const Lane d;
  for (size_t i = 0; i < panels * kColumns * kElementOfB<kind>; i += 64)
    __builtin_prefetch(from + kAhead * pitch + i);
  HWY_UNROLL(8)
  for (uint32_t v = 0; v < panels * kVecs; ++v) {
    column[v] = ElementsOfB<kind>(from + v * kLanes * kElementOfB<kind>);
    hn::StoreU(column[v], d, b + v / kVecs * b_panel + v % kVecs * kLanes);
    if constexpr (kind == Products::kExact) nan = hn::Or(nan, hn::IsNaN(column[v]));
  }
}

// The first rows of some panels of C: columns of B come from rows in GM and go to their places in
// b, from where the other rows of C have them.
template <Products kind, uint32_t rows, uint32_t panels, uint32_t run>
HWY_INLINE void PackTile(const PanelProduct& p, uint32_t panel) {
  const size_t c = PlaceInC(p, 0, panel), pitch = p.b_row_pitch, b_panel = p.b_panel;
  Sums<rows, panels> sum;
  StartTile<kind, rows, panels>(p, c, sum);
  auto nan = hn::IsNaN(hn::Zero(Lane()));
  const uint8_t* from = p.b_rows + panel * kColumns * kElementOfB<kind>;
  for (uint32_t k0 = 0; k0 < p.k; k0 += kEight) {
    const float* a = p.a + k0 / run * p.a_run + k0 % run * 16;
    float* b = p.b + size_t{panel} * b_panel + k0 / run * p.b_run + k0 % run * kColumns;
    if (p.ahead) p.ahead->step();
    HWY_UNROLL(1)
    for (uint32_t k = 0; k < kEight; ++k, b += kColumns, from += pitch) {
      Vec column[panels * kVecs];
      PackColumns<kind, panels>(from, pitch, b, b_panel, column, nan);
      AddColumns<kind, rows, panels>(a + k, kEight, column, sum);
    }
  }
  if (kind == Products::kExact && !hn::AllFalse(Lane(), nan)) *p.b_nan = true;
  FinishTile<kind, rows, panels>(p, c, sum);
}

// rows x panels of C in the order of bfloat16, groups that lie within stretches of k.
template <uint32_t rows, uint32_t panels>
HWY_INLINE void PairTile(const PanelProduct& p, uint32_t row, uint32_t panel) {
  const Lane d;
  float* c = static_cast<float*>(p.c) + PlaceInC(p, row, panel);
  const size_t c_panel = size_t{p.c_rows} * kColumns;
  for (uint32_t k0 = 0; k0 < p.k; k0 += kGroup) {
    const float* a = RowsOfA(p, row) + k0 / p.run * p.a_run + k0 % p.run;
    const float* b =
        p.b + size_t{panel} * p.b_panel + k0 / p.run * p.b_run + size_t{k0 % p.run} * kColumns;
    const uint32_t count = std::min(kGroup, p.k - k0);
    Sums<rows, panels> even, odd;
    HWY_UNROLL(8)
    for (uint32_t r = 0; r < rows; ++r) {
      HWY_UNROLL(8)
      for (uint32_t v = 0; v < panels * kVecs; ++v) even[r][v] = odd[r][v] = hn::Zero(d);
    }
    for (uint32_t k = 0; k < count; k += 2, a += 2, b += 2 * kColumns) {
      AddOne<Products::kPairs, rows, panels>(a, p.a_row, b, p.b_panel, even);
      if (k + 1 < count)
        AddOne<Products::kPairs, rows, panels>(a + 1, p.a_row, b + kColumns, p.b_panel, odd);
    }
    HWY_UNROLL(8)
    for (uint32_t r = 0; r < rows; ++r) {
      HWY_UNROLL(8)
      for (uint32_t v = 0; v < panels * kVecs; ++v) {
        float* at = c + v / kVecs * c_panel + r * kColumns + v % kVecs * kLanes;
        const Vec old = p.fresh && k0 == 0 ? hn::Zero(d) : hn::LoadU(d, at);
        hn::StoreU(hn::Add(old, hn::Add(even[r][v], odd[r][v])), d, at);
      }
    }
  }
}

// All rows of some panels: tiles of `rows`, then the rest in halves.
template <Products kind, uint32_t rows, uint32_t panels, uint32_t run>
HWY_INLINE void Column(const PanelProduct& p, uint32_t row, uint32_t panel) {
  if constexpr (run != 0) {
    if (p.b_rows && row == 0 && rows <= p.rows) {
      PackTile<kind, rows, panels, run>(p, panel);
      row = rows;
    }
  }
  for (; row + rows <= p.rows; row += rows) {
    if constexpr (kind == Products::kPairs)
      PairTile<rows, panels>(p, row, panel);
    else
      Tile<kind, rows, panels, run>(p, row, panel);
  }
  if constexpr (rows > 1) {
    if (row < p.rows) Column<kind, rows / 2, panels, run>(p, row, panel);
  }
}

// A function of its own for every run, so that it is a constant in there.
template <Products kind, uint32_t run>
HWY_NOINLINE void MultiplyStep(const PanelProduct& p) {
  constexpr uint32_t rows = kind == Products::kPairs ? kPairRows : kRows;
  uint32_t panel = 0;
  if constexpr (kWide == 3) {
    // Four panels are left better as two and two than as three and one.
    for (; panel + 3 <= p.panels && p.panels - panel != 4; panel += 3)
      Column<kind, rows, 3, run>(p, 0, panel);
    for (; panel + 2 <= p.panels; panel += 2) Column<kind, rows, 2, run>(p, 0, panel);
  }
  for (; panel < p.panels; ++panel) Column<kind, rows, 1, run>(p, 0, panel);
}

template <Products kind>
void ChooseStep(const PanelProduct& p) {
  if constexpr (kind == Products::kFused || kind == Products::kExact) {
    if (p.live == 0 && packs_rows(kind, p))
      return MultiplyStep < kind, kind == Products::kFused ? 8 : 16 > (p);
  }
  MultiplyStep<kind, 0>(p);
}

template <Products kind>
void Multiply(PanelProduct p) {
  const uint32_t taken = p.live == 0 ? p.run : p.live;
  const uint32_t step = kStepK / taken * p.run, k = p.k;
  for (uint32_t done = 0; done < k; done += step) {
    p.k = std::min(step, k - done);
    ChooseStep<kind>(p);
    p.a += step / p.run * p.a_run;
    p.b += step / p.run * p.b_run;
    if (p.b_rows) p.b_rows += step * p.b_row_pitch;
    p.fresh = false;
  }
}

void MultiplyPanels(Products kind, const PanelProduct& p) {
  switch (kind) {
    case Products::kExact: return Multiply<Products::kExact>(p);
    case Products::kFused: return Multiply<Products::kFused>(p);
    case Products::kPairs: return Multiply<Products::kPairs>(p);
    case Products::kInteger: return Multiply<Products::kInteger>(p);
  }
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(MultiplyPanels);

// Those that have a function for their run, with A in blocks of eight values of k.
bool packs_rows(Products kind, const PanelProduct& p) {
  if (p.a_row != 8 || (p.run != 8 && p.a_eight != 128)) return false;
  return (kind == Products::kFused && p.run == 8) || (kind == Products::kExact && p.run == 16);
}

void multiply_panels(Products kind, const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(MultiplyPanels)(kind, p);
}

}  // namespace opkit::core
#endif
