#include "opkit/core/fractals/dots.h"

#include "hwy/targets.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define OPKIT_HAS_DOTS 1
#else
#define OPKIT_HAS_DOTS 0
#endif

namespace opkit::core {

#if OPKIT_HAS_DOTS
namespace {

#define OPKIT_DOTS __attribute__((target("avx512f,avx512bw,avx512bf16")))
#define OPKIT_DOTS_INLINE OPKIT_DOTS __attribute__((always_inline)) inline

constexpr uint32_t kSide = 16, kRowA = 32, kRowC = 64;  // bytes of rows
constexpr uint32_t kQuads = 4;  // counts in a fractal the quads of four k each
constexpr uint32_t kRows = 8;   // that are summed side by side

bool cpu_has_dots() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || a < 1) return false;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 5 & 1) != 0;
}

// The instruction adds the product of the high halves, then that of the low ones. Pairs of even k
// and pairs of odd k, the earlier k high, keep the two sums of multiply.h apart.
struct Pairs {
  __m512i even[kQuads], odd[kQuads];
};

// Reads B: row r of a turned fractal holds k = 2r low and 2r + 1 high, for 16 columns.
OPKIT_DOTS_INLINE Pairs pairs_of_b(const uint8_t* fractal) {
  const __m512i high = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
  Pairs p;
  for (uint32_t q = 0; q < kQuads; ++q) {
    const __m512i first = _mm512_loadu_si512(fractal + 2 * q * 64);
    const __m512i second = _mm512_loadu_si512(fractal + (2 * q + 1) * 64);
    p.even[q] = _mm512_or_si512(_mm512_slli_epi32(first, 16), _mm512_andnot_si512(high, second));
    p.odd[q] = _mm512_or_si512(_mm512_and_si512(first, high), _mm512_srli_epi32(second, 16));
  }
  return p;
}

// Reads A: every row of 16 words becomes four pairs of even k, then four of odd k. Two rows at
// once.
OPKIT_DOTS_INLINE void pairs_of_a(const uint8_t* fractal, uint32_t* out) {
  alignas(64) static constexpr uint16_t kOrder[32] = {2,  0,  6,  4,  10, 8,  14, 12, 3,  1,  7,
                                                      5,  11, 9,  15, 13, 18, 16, 22, 20, 26, 24,
                                                      30, 28, 19, 17, 23, 21, 27, 25, 31, 29};
  const __m512i order = _mm512_load_si512(kOrder);
  for (uint32_t r = 0; r < kSide; r += 2) {
    const __m512i rows = _mm512_loadu_si512(fractal + r * kRowA);
    _mm512_store_si512(out + r * 8, _mm512_permutexvar_epi16(order, rows));
  }
}

// sum[r] = the products of one parity for row r, from zero.
OPKIT_DOTS_INLINE void add_up(const uint32_t* a, const __m512i* b, __m512* sum) {
  for (uint32_t r = 0; r < kRows; ++r) sum[r] = _mm512_setzero_ps();
  for (uint32_t q = 0; q < kQuads; ++q) {
    for (uint32_t r = 0; r < kRows; ++r) {
      const __m512i pair = _mm512_set1_epi32(static_cast<int>(a[r * 8 + q]));
      sum[r] = _mm512_dpbf16_ps(sum[r], reinterpret_cast<__m512bh>(pair),
                                reinterpret_cast<__m512bh>(b[q]));
    }
  }
}

// c: 16 rows of 16 floats.
OPKIT_DOTS_INLINE void multiply_fractals(const uint8_t* a, const uint8_t* b, uint8_t* c) {
  alignas(64) uint32_t rows[kSide * 8];
  pairs_of_a(a, rows);
  const Pairs pairs = pairs_of_b(b);
  for (uint32_t first = 0; first < kSide; first += kRows) {
    __m512 even[kRows], odd[kRows];
    add_up(rows + first * 8, pairs.even, even);
    add_up(rows + first * 8 + kQuads, pairs.odd, odd);
    for (uint32_t r = 0; r < kRows; ++r) {
      uint8_t* row = c + (first + r) * kRowC;
      _mm512_storeu_ps(row, _mm512_add_ps(_mm512_loadu_ps(row), _mm512_add_ps(even[r], odd[r])));
    }
  }
}

OPKIT_DOTS_INLINE void clear(uint8_t* c) {
  for (uint32_t r = 0; r < kSide; ++r) _mm512_storeu_ps(c + r * kRowC, _mm512_setzero_ps());
}

}  // namespace

// A build or test that leaves out the widest vectors leaves this out, too.
bool has_dots() {
  static const bool allowed = cpu_has_dots() && (hwy::SupportedTargets() & HWY_AVX3) != 0;
  return allowed;
}

OPKIT_DOTS void multiply_dots(const TileProduct& p) {
  for (uint32_t panel = 0; panel < p.panels; ++panel) {
    for (uint32_t block = 0; block < p.blocks; ++block) {
      const uint8_t* a = p.a + block * p.a_block;
      const uint8_t* b = p.b + panel * p.b_panel;
      uint8_t* c = p.c + panel * p.c_panel + block * kSide * kRowC;
      if (p.fresh) clear(c);
      for (uint32_t k = 0; k < p.steps; ++k, a += p.a_step, b += p.b_run)
        multiply_fractals(a, b, c);
    }
  }
}

#else

bool has_dots() { return false; }
void multiply_dots(const TileProduct&) {}

#endif

}  // namespace opkit::core
