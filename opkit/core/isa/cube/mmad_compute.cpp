// The arithmetic of Mmad: on the mirrors of L0A and L0B where they exist, otherwise on operands
// that are brought into the host's form here. Rows of C behind m keep the start value; columns of B
// behind n and values behind k count as zero.
#include <algorithm>
#include <cstring>

#include "opkit/core/fractals/dots.h"
#include "opkit/core/fractals/expand.h"
#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/fractal_batch.h"
#include "opkit/core/fractals/live_values.h"
#include "opkit/core/fractals/multiply.h"
#include "opkit/core/fractals/tiles.h"
#include "opkit/core/fractals/turn.h"
#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

using Form = L0Mirror::Form;

constexpr size_t kFractalOfC = 1024;  // bytes
constexpr size_t kSlot = L0Mirror::kSlotFloats;
constexpr ptrdiff_t kWord = 4;  // bytes

const uint8_t* bytes_of(const opk_operand& o) { return static_cast<const uint8_t*>(o.address); }

// The start value of C where it is not the old C: everywhere, or only in the rows behind m when the
// product itself starts from zero.
void zero_padding_rows(const opk_mmad_v1& x, const MmadExtent& e) {
  auto* c = static_cast<uint8_t*>(x.c.address);
  const size_t panel = e.m16 * kFractalOfC, used = size_t{x.m} * kSide * 4;
  for (uint32_t j = 0; j < e.n16 && used < panel; ++j)
    std::memset(c + j * panel + used, 0, panel - used);
}

void start_from_bias(const opk_mmad_v1& x, const MmadExtent& e) {
  auto* c = static_cast<uint8_t*>(x.c.address);
  const uint8_t* bias = bytes_of(x.bias);
  for (uint32_t panel = 0; panel < e.n16; ++panel) {
    uint8_t row[kSide * 4] = {};
    const uint32_t used = std::min(kSide, x.n - panel * kSide);
    std::memcpy(row, bias + size_t{panel} * sizeof row, size_t{used} * 4);
    for (uint32_t r = 0; r < e.m16 * kSide; ++r, c += sizeof row) std::memcpy(c, row, sizeof row);
  }
}

Products products_of(const opk_mmad_v1& x) {
  if (x.c.dtype == OPK_INT32) return Products::kInteger;
  if (x.a.dtype == OPK_BFLOAT16) return Products::kPairs;
  return x.a.dtype == OPK_FLOAT16 || x.hf32 ? Products::kExact : Products::kFused;
}

// Halves of A that lie in L1, as floats that are kept.
bool place_halves_of_l1(Core& core, const opk_mmad_v1& x, const MmadExtent& e, PanelProduct& p) {
  const L0Mirror::Sources in_l1 = core.put_off.l0a().sources(bytes_of(x.a), e.m16, e.k_fractals);
  p.a = in_l1.first ? core.put_off.l1_floats().take(in_l1, e.m16, e.k_fractals) : nullptr;
  p.a_row = 8;
  p.a_eight = 128;
  p.a_run = static_cast<size_t>(in_l1.step / ptrdiff_t{kFractalBytes} * ptrdiff_t{kSlot});
  p.a_block = static_cast<size_t>(in_l1.block / ptrdiff_t{kFractalBytes} * ptrdiff_t{kSlot});
  return p.a != nullptr;
}

// Rows of A behind m are not read, so that whatever they hold does no harm.
void place_a(Core& core, const opk_mmad_v1& x, const MmadExtent& e, PanelProduct& p) {
  const bool plain = x.a.dtype == OPK_FLOAT32 && !x.hf32;
  const uint32_t fractals = e.m16 * e.k_fractals;
  if (x.m > 1 && x.a.dtype == OPK_FLOAT16) {
    p.a = core.put_off.l0a().find(bytes_of(x.a), fractals, Form::kHalves);
    if (p.a) {
      p.a_row = 8;
      p.a_eight = 128;
      p.a_run = kSlot;
      p.a_block = kSlot * e.k_fractals;
      return;
    }
    if (place_halves_of_l1(core, x, e, p)) return;
  }
  p.a_row = e.c0;
  p.a_eight = 8;
  p.a_run = x.m == 1 ? e.c0 : size_t{kSide} * e.c0;
  p.a_block = p.a_run * e.k_fractals;
  if (plain && x.m > 1) {
    const L0Mirror::Sources in_l1 = core.put_off.l0a().sources(bytes_of(x.a), e.m16, e.k_fractals);
    if (in_l1.first) {
      p.a = reinterpret_cast<const float*>(in_l1.first);
      p.a_run = in_l1.step / kWord;
      p.a_block = in_l1.block / kWord;
      return;
    }
  }
  core.put_off.about_to_read(OPK_MEM_L0A, x.a.address, e.a);
  if (plain) {
    p.a = static_cast<const float*>(x.a.address);
    return;
  }
  const uint32_t count = x.m == 1 ? x.k : fractals * kSide * e.c0;
  float* out = core.cube.a.take(count);
  expand_row(x.a.dtype, x.a.address, 0, count, x.hf32, out);
  p.a = out;
}

// One fractal of B as c0 rows of 16 columns, for types that no batch turns.
void turn_fractal(const opk_mmad_v1& x, const uint8_t* fractal, uint32_t c0, float* rows) {
  alignas(64) float columns[kSide * 64];
  expand_row(x.b.dtype, fractal, 0, kSide * c0, x.hf32, columns);
  for (uint32_t c = 0; c < kSide; ++c) {
    for (uint32_t k = 0; k < c0; ++k) rows[k * kSide + c] = columns[c * c0 + k];
  }
}

// `count` fractals that follow each other, each `pitch` floats behind the last.
void turn_all(const opk_mmad_v1& x, uint32_t count, uint32_t c0, float* rows, size_t pitch) {
  const uint8_t* from = bytes_of(x.b);
  FractalBatch batch;
  batch.turning = x.b.dtype == OPK_FLOAT16 ? Turning::kHalvesTurned : Turning::kWords;
  batch.pitch = kFractalBytes;
  batch.out_pitch = pitch;
  batch.looks_for_nan = false;
  const bool batched = x.b.dtype == OPK_FLOAT16 || (x.b.dtype == OPK_FLOAT32 && !x.hf32);
  for (uint32_t i = 0; i < count; i += batch.count) {
    batch.count = batched ? std::min(count - i, FractalBatch::kMost) : 1;
    batch.rows = from + size_t{i} * kFractalBytes;
    batch.out = rows + i * pitch;
    if (batched)
      turn_fractals(batch);
    else
      turn_fractal(x, batch.rows, c0, batch.out);
  }
}

// Panels side by side in GM: the rows that multiply_panels packs. p: with A and the pitches of b.
bool place_rows_of_b(Core& core, const opk_mmad_v1& x, const MmadExtent& e, PanelProduct& p) {
  const bool halves = x.b.dtype == OPK_FLOAT16;
  if (x.n % kSide != 0 || x.k % e.c0 != 0 || !packs_rows(products_of(x), p)) return false;
  const L0Mirror::Sources rows = core.put_off.l0b().sources(
      bytes_of(x.b), e.k_steps, e.n16, halves ? Form::kRowHalves : Form::kRowWords);
  const size_t pitch = core.put_off.l0b().row_pitch();
  const bool adjacent = e.n16 == 1 || rows.step == ptrdiff_t{halves ? 32 : 64};
  const bool even = e.k_steps == 1 || rows.block == static_cast<ptrdiff_t>(e.c0 * pitch);
  if (!rows.first || !adjacent || !even) return false;
  p.b = core.put_off.l0b().mirror(bytes_of(x.b));
  p.b_rows = rows.first;
  p.b_row_pitch = pitch;
  return true;
}

float* mirror_of_b(Core& core, const opk_mmad_v1& x, const MmadExtent& e) {
  if (x.b.dtype != OPK_FLOAT16 && (x.b.dtype != OPK_FLOAT32 || x.hf32)) return nullptr;
  core.put_off.l0b().pack(bytes_of(x.b), e.k_steps * e.n16);
  return core.put_off.l0b().find(
      bytes_of(x.b), e.k_steps * e.n16,
      x.b.dtype == OPK_FLOAT16 ? Form::kHalvesTurned : Form::kWordsTurned);
}

void place_b(Core& core, const opk_mmad_v1& x, const MmadExtent& e, PanelProduct& p) {
  p.b_panel = std::max<size_t>(kSlot, size_t{e.c0} * kSide);
  p.b_run = p.b_panel * e.n16;
  if (place_rows_of_b(core, x, e, p)) return;
  p.b = mirror_of_b(core, x, e);
  if (p.b) return;
  core.put_off.about_to_read(OPK_MEM_L0B, x.b.address, e.b);
  const uint32_t fractals = e.k_steps * e.n16;
  float* rows = core.cube.b.take(fractals * p.b_panel);
  p.b = rows;
  turn_all(x, fractals, e.c0, rows, p.b_panel);
}

// The last panel when n ends within it: its columns behind n are zero.
void multiply_last_panel(Core& core, const opk_mmad_v1& x, const MmadExtent& e, PanelProduct p) {
  const uint32_t last = e.n16 - 1, used = x.n % kSide;
  float* rows = core.cube.edge.take(size_t{e.k_steps} * e.c0 * kSide);
  const float* from = p.b + last * p.b_panel;
  for (uint32_t k = 0; k < e.k_steps * e.c0; ++k) {
    const float* row = from + k / e.c0 * p.b_run + size_t{k % e.c0} * kSide;
    std::copy_n(row, used, rows + size_t{k} * kSide);
    std::fill_n(rows + size_t{k} * kSide + used, kSide - used, 0.0f);
  }
  p.b = rows;
  p.b_run = size_t{e.c0} * kSide;
  p.panels = 1;
  p.c = static_cast<uint8_t*>(p.c) + last * e.m16 * kFractalOfC;
  p.live = live_values(products_of(x), p);
  multiply_panels(products_of(x), p);
}

void multiply_floats(Core& core, const opk_mmad_v1& x, const MmadExtent& e) {
  PanelProduct p;
  bool nan = false;
  p.run = e.c0;
  place_a(core, x, e, p);
  place_b(core, x, e, p);
  p.c = x.c.address;
  p.rows = x.m;
  p.c_rows = e.m16 * kSide;
  p.panels = x.n / kSide;
  p.k = x.k;
  p.b_nan = &nan;
  p.ahead = &core.cube.ahead;
  p.fresh = x.init == 0 && x.c.dtype == OPK_FLOAT32;
  if (x.init == 0 && !p.fresh) std::memset(x.c.address, 0, e.c);
  if (p.fresh) zero_padding_rows(x, e);
  p.live = live_values(products_of(x), p);
  multiply_panels(products_of(x), p);
  if (p.b_rows && !nan) core.put_off.l0b().packed(bytes_of(x.b), e.k_steps * e.n16);
  if (x.n % kSide != 0) multiply_last_panel(core, x, e, p);
}

// Returns the bytes of element row r, 32 bytes of fractal step j, that take part.
uint32_t used_bytes(const opk_mmad_v1& x, const MmadExtent& e, uint32_t step) {
  return std::min(e.c0, x.k - step * e.c0) * (32 / e.c0);
}

// A in whole fractals with zeros behind m and k.
void pad_a(Core& core, const opk_mmad_v1& x, const MmadExtent& e, TileProduct& p) {
  core.put_off.about_to_read(OPK_MEM_L0A, x.a.address, e.a);
  p.a_block = size_t{e.k_steps} * kFractalBytes;
  auto* out = reinterpret_cast<uint8_t*>(core.cube.a.take(e.m16 * p.a_block / sizeof(float)));
  std::memset(out, 0, e.m16 * p.a_block);
  for (uint32_t r = 0; r < x.m; ++r) {
    for (uint32_t j = 0; j < e.k_steps; ++j) {
      const size_t from = x.m == 1 ? size_t{j} * 32
                                   : (size_t{r / kSide} * e.k_fractals + j) * kFractalBytes +
                                         size_t{r % kSide} * 32;
      std::memcpy(out + r / kSide * p.a_block + size_t{j} * kFractalBytes + size_t{r % kSide} * 32,
                  bytes_of(x.a) + from, used_bytes(x, e, j));
    }
  }
  p.a = out;
}

void place_fractals_of_a(Core& core, const opk_mmad_v1& x, const MmadExtent& e, TileProduct& p) {
  p.a_step = kFractalBytes;
  if (x.m % kSide != 0 || x.k % e.c0 != 0) return pad_a(core, x, e, p);
  const L0Mirror::Sources in_l1 = core.put_off.l0a().sources(bytes_of(x.a), e.m16, e.k_fractals);
  p.a = in_l1.first;
  p.a_step = static_cast<size_t>(in_l1.step);
  p.a_block = static_cast<size_t>(in_l1.block);
  if (p.a) return;
  core.put_off.about_to_read(OPK_MEM_L0A, x.a.address, e.a);
  p.a = bytes_of(x.a);
  p.a_step = kFractalBytes;
  p.a_block = size_t{e.k_fractals} * kFractalBytes;
}

// One fractal of B turned, with zeros behind n and k.
void turn_padded(const opk_mmad_v1& x, const MmadExtent& e, uint32_t step, uint32_t panel,
                 float* out) {
  const uint8_t* from = bytes_of(x.b) + (size_t{step} * e.n16 + panel) * kFractalBytes;
  const uint32_t columns = std::min(kSide, x.n - panel * kSide), bytes = used_bytes(x, e, step);
  if (columns == kSide && bytes == 32) return turn_words(from, out);
  alignas(64) uint8_t fractal[kFractalBytes] = {};
  for (uint32_t c = 0; c < columns; ++c) std::memcpy(fractal + c * 32, from + c * 32, bytes);
  turn_words(fractal, out);
}

const float* turned_b(Core& core, const opk_mmad_v1& x, const MmadExtent& e) {
  const uint32_t fractals = e.k_steps * e.n16;
  const bool whole = x.n % kSide == 0 && x.k % e.c0 == 0;
  const float* mirror =
      whole ? core.put_off.l0b().find(bytes_of(x.b), fractals, Form::kWordsTurned) : nullptr;
  if (mirror) return mirror;
  core.put_off.about_to_read(OPK_MEM_L0B, x.b.address, e.b);
  float* out = core.cube.b.take(fractals * kSlot);
  for (uint32_t i = 0; i < fractals; ++i) turn_padded(x, e, i / e.n16, i % e.n16, out + i * kSlot);
  return out;
}

bool are_exact(const opk_mmad_v1& x, const MmadExtent& e, const TileProduct& p) {
  Magnitudes a, c;
  if (!p.fresh) c = magnitudes_f32(x.c.address, e.c / 4);
  for (uint32_t i = 0; i < e.m16; ++i)
    a.join(magnitudes_bf16(p.a + i * p.a_block, kFractalBytes, e.k_steps, p.a_step));
  return tiles_are_exact(a, magnitudes_bf16(p.b, kFractalBytes, e.k_steps * e.n16, p.b_panel), c);
}

// Multiplies by the host's matrix or dot product instructions. False: it has none, or they could
// give other bits.
bool multiply_on_tiles(Core& core, const opk_mmad_v1& x, const MmadExtent& e) {
  const bool pairs = x.a.dtype == OPK_BFLOAT16 && (has_tiles() || has_dots());
  if (!pairs && (x.a.dtype != OPK_INT8 || !has_tiles())) return false;
  TileProduct p;
  place_fractals_of_a(core, x, e, p);
  p.b = reinterpret_cast<const uint8_t*>(turned_b(core, x, e));
  p.b_panel = kSlot * sizeof(float);
  p.b_run = p.b_panel * e.n16;
  p.c = static_cast<uint8_t*>(x.c.address);
  p.c_panel = e.m16 * kFractalOfC;
  p.blocks = e.m16;
  p.panels = e.n16;
  p.steps = e.k_steps;
  p.integers = x.a.dtype == OPK_INT8;
  p.fresh = x.init == 0;
  if (!p.integers && !are_exact(x, e, p)) return false;
  has_tiles() ? multiply_tiles(p) : multiply_dots(p);
  return true;
}

}  // namespace

void compute_mmad(Core& core, const opk_mmad_v1& x) {
  const MmadExtent e = extent_of(x);
  if (x.init == 2) start_from_bias(x, e);
  if (!multiply_on_tiles(core, x, e)) multiply_floats(core, x, e);
}

}  // namespace opkit::core
