#include "opkit/core/fractals/tiles.h"

#include "hwy/targets.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#define OPKIT_HAS_AMX 1
#else
#define OPKIT_HAS_AMX 0
#endif

namespace opkit::core {

// A product of two values is a multiple of 2^(a - 127 - 7 + b - 127 - 7), and so is every rounded
// sum of such products. The smallest normal number is 2^-126.
bool tiles_are_exact(const Magnitudes& a, const Magnitudes& b, const Magnitudes& c) {
  if (a.special || b.special || c.special) return false;
  const bool normal = a.least > 0 && b.least > 0;
  return normal && a.least + b.least >= 142 && c.least >= 24;
}

#if OPKIT_HAS_AMX
namespace {

#define OPKIT_AMX __attribute__((target("amx-tile,amx-bf16,amx-int8")))

constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
constexpr long kTileData = 18;

bool cpu_has_tiles() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kNeeded = 1u << 22 | 1u << 24 | 1u << 25;  // bf16, tiles, int8
  return (d & kNeeded) == kNeeded;
}

struct alignas(64) TileConfig {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};

// 0 to 3: C. 4, 5: A, 16 rows of 32 bytes. 6, 7: B, 8 rows of 64 bytes.
constexpr TileConfig config() {
  TileConfig t;
  for (int i = 0; i < 8; ++i) {
    t.rows[i] = i < 6 ? 16 : 8;
    t.row_bytes[i] = i == 4 || i == 5 ? 32 : 64;
  }
  return t;
}
constexpr TileConfig kConfig = config();

constexpr size_t kRowA = 32, kRowB = 64, kRowC = 64, kFractalC = 1024;

#define OPKIT_DOT(c, a, b) \
  if constexpr (integers)  \
    _tile_dpbssd(c, a, b); \
  else                     \
    _tile_dpbf16ps(c, a, b)

// Two blocks of rows, one or two panels.
template <bool integers, bool two_blocks, bool two_panels>
OPKIT_AMX void multiply_block(const TileProduct& p, const uint8_t* a, const uint8_t* b,
                              uint8_t* c) {
  if (p.fresh) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    _tile_loadd(0, c, kRowC);
    if constexpr (two_blocks) _tile_loadd(1, c + kFractalC, kRowC);
    if constexpr (two_panels) _tile_loadd(2, c + p.c_panel, kRowC);
    if constexpr (two_blocks && two_panels) _tile_loadd(3, c + p.c_panel + kFractalC, kRowC);
  }
  for (uint32_t k = 0; k < p.steps; ++k, a += p.a_step, b += p.b_run) {
    _tile_loadd(4, a, kRowA);
    _tile_loadd(6, b, kRowB);
    OPKIT_DOT(0, 4, 6);
    if constexpr (two_blocks) {
      _tile_loadd(5, a + p.a_block, kRowA);
      OPKIT_DOT(1, 5, 6);
    }
    if constexpr (two_panels) {
      _tile_loadd(7, b + p.b_panel, kRowB);
      OPKIT_DOT(2, 4, 7);
    }
    if constexpr (two_blocks && two_panels) {
      OPKIT_DOT(3, 5, 7);
    }
  }
  _tile_stored(0, c, kRowC);
  if constexpr (two_blocks) _tile_stored(1, c + kFractalC, kRowC);
  if constexpr (two_panels) _tile_stored(2, c + p.c_panel, kRowC);
  if constexpr (two_blocks && two_panels) _tile_stored(3, c + p.c_panel + kFractalC, kRowC);
}

template <bool integers, bool two_panels>
OPKIT_AMX void multiply_panel(const TileProduct& p, uint32_t panel) {
  const uint8_t* b = p.b + panel * p.b_panel;
  uint8_t* c = p.c + panel * p.c_panel;
  uint32_t block = 0;
  for (; block + 2 <= p.blocks; block += 2)
    multiply_block<integers, true, two_panels>(p, p.a + block * p.a_block, b,
                                               c + block * kFractalC);
  if (block < p.blocks)
    multiply_block<integers, false, two_panels>(p, p.a + block * p.a_block, b,
                                                c + block * kFractalC);
}

template <bool integers>
OPKIT_AMX void multiply(const TileProduct& p) {
  uint32_t panel = 0;
  for (; panel + 2 <= p.panels; panel += 2) multiply_panel<integers, true>(p, panel);
  if (panel < p.panels) multiply_panel<integers, false>(p, panel);
}

}  // namespace

// The kernel of the host decides per process, and the answer stays. A build or test that leaves
// out the widest vectors leaves out tiles too.
bool has_tiles() {
  static const bool allowed = cpu_has_tiles() && (hwy::SupportedTargets() & HWY_AVX3) != 0 &&
                              ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return allowed;
}

OPKIT_AMX void multiply_tiles(const TileProduct& p) {
  _tile_loadconfig(&kConfig);
  if (p.integers)
    multiply<true>(p);
  else
    multiply<false>(p);
  _tile_release();
}

#else

bool has_tiles() { return false; }
void multiply_tiles(const TileProduct&) {}

#endif

}  // namespace opkit::core
