// Mmad. Semantics: the vendor's page "Mmad"; layouts: "关键分形格式详解". The order of accumulation
// is documented in multiply.h. Elements of A and B behind m, n and k count as zero, so that the
// padding of the last fractals of C becomes the start value.
#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/core/isa/cube/multiply.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kSide = 16;
constexpr uint32_t kFractal = 512;  // bytes
constexpr uint32_t kMaxSize = 4095;

uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// The operands in whole fractals.
struct Extent {
  uint32_t c0;          // elements per row of a fractal of A and B
  uint32_t m16, n16;    // fractals
  uint32_t k_fractals;  // in A's rows; B has at least as many rows of fractals
  uint64_t a, b, c;     // bytes
};

Extent extent_of(const opk_mmad_v1& x) {
  Extent e{};
  e.c0 = 256 / dtype_bits(x.a.dtype);
  e.m16 = ceil_div(x.m, kSide);
  e.n16 = ceil_div(x.n, kSide);
  e.k_fractals = ceil_div(x.k, e.c0);
  if (x.a.dtype == OPK_FLOAT32 && x.k_align16) e.k_fractals = ceil_div(x.k, kSide) * 2;
  e.a = x.m == 1 ? (uint64_t{x.k} * dtype_bits(x.a.dtype) + 7) / 8
                 : uint64_t{e.m16} * e.k_fractals * kFractal;
  e.b = uint64_t{ceil_div(x.k, e.c0)} * e.n16 * kFractal;
  e.c = uint64_t{e.m16} * e.n16 * kSide * kSide * 4;
  return e;
}

bool are_types(const opk_mmad_v1& x, uint32_t c, uint32_t ab) {
  return x.c.dtype == c && x.a.dtype == ab && x.b.dtype == ab;
}

bool check_types(Core& core, const opk_mmad_v1& x, const void* pc) {
  const bool known = are_types(x, OPK_FLOAT32, OPK_FLOAT16) ||
                     are_types(x, OPK_FLOAT32, OPK_BFLOAT16) ||
                     are_types(x, OPK_FLOAT32, OPK_FLOAT32) || are_types(x, OPK_INT32, OPK_INT8) ||
                     are_types(x, OPK_INT32, OPK_INT4);
  if (known) return true;
  return refuse_cube(core, "EK1706",
                     std::string("Mmad: there is no product of ") + dtype_name(x.a.dtype) +
                         " and " + dtype_name(x.b.dtype) + " in " + dtype_name(x.c.dtype),
                     "use float <- half, bfloat16_t or float, or int32_t <- int8_t or int4b_t", pc);
}

bool check_memory(Core& core, const opk_operand& o, uint32_t memory, const char* role,
                  const void* pc) {
  if (o.memory == memory) return true;
  return refuse_cube(core, "EK1703",
                     std::string("Mmad: ") + role + " lies in " + memory_name(o.memory) +
                         ", but must lie in " + memory_name(memory),
                     std::string("move it to ") + memory_name(memory) + " first", pc);
}

bool check_places(Core& core, const opk_mmad_v1& x, const void* pc) {
  return check_memory(core, x.c, OPK_MEM_L0C, "the destination", pc) &&
         check_memory(core, x.a, OPK_MEM_L0A, "the left matrix", pc) &&
         check_memory(core, x.b, OPK_MEM_L0B, "the right matrix", pc) &&
         (x.init != 2 || check_memory(core, x.bias, OPK_MEM_BT, "the bias", pc));
}

bool check_sizes(Core& core, const opk_mmad_v1& x, const void* pc) {
  if (x.m <= kMaxSize && x.n <= kMaxSize && x.k <= kMaxSize) return true;
  return refuse_cube(core, "EK1705",
                     "Mmad: m, n, k = " + std::to_string(x.m) + ", " + std::to_string(x.n) + ", " +
                         std::to_string(x.k) + "; each is at most 4095",
                     "cut the matrices into smaller blocks", pc);
}

bool check_bias(Core& core, const opk_mmad_v1& x, const void* pc) {
  if (x.init != 2) return true;
  if (x.bias.dtype != x.c.dtype) {
    return refuse_cube(core, "EK1707",
                       std::string("Mmad: the bias is ") + dtype_name(x.bias.dtype) + ", C is " +
                           dtype_name(x.c.dtype),
                       "keep the bias table in the type of C", pc);
  }
  return check_operand(core, x.bias, uint64_t{x.n} * 4, 64, false, {"Mmad", "bias", pc});
}

bool check(Core& core, const opk_mmad_v1& x, const void* pc) {
  if (!check_types(core, x, pc) || !check_places(core, x, pc) || !check_sizes(core, x, pc))
    return false;
  const Extent e = extent_of(x);
  return check_operand(core, x.a, e.a, 512, false, {"Mmad", "left matrix", pc}) &&
         check_operand(core, x.b, e.b, 512, false, {"Mmad", "right matrix", pc}) &&
         check_operand(core, x.c, e.c, 64, true, {"Mmad", "destination", pc}) &&
         check_bias(core, x, pc);
}

Access part(const opk_operand& o, uint64_t offset, uint64_t bytes, bool write) {
  Access access;
  access.memory = static_cast<opk_memory>(o.memory);
  access.address = static_cast<const uint8_t*>(o.address) + offset;
  access.block_bytes = static_cast<uint32_t>(bytes);
  access.write = write;
  access.dtype = o.dtype;
  access.buffer = o.buffer;
  return access;
}

// Rows of A: the whole row blocks, then the rows of the last one, without the padding.
void add_a(Footprint& f, const opk_mmad_v1& x, const Extent& e) {
  if (x.m == 1) {
    f.add(part(x.a, 0, e.a, false));
    return;
  }
  const uint64_t block = uint64_t{e.k_fractals} * kFractal;
  const uint32_t used = ceil_div(x.k, e.c0);
  const auto rows = [&](uint64_t offset, uint32_t count, uint32_t blocks) {
    if (count == 0 || blocks == 0) return;
    Access& access = f.add(part(x.a, offset, uint64_t{count} * 32, false));
    access.blocks = used;
    access.block_pitch = kFractal;
    access.repeats = blocks;
    access.repeat_pitch = static_cast<int64_t>(block);
  };
  rows(0, kSide, x.m / kSide);
  rows(x.m / kSide * block, x.m % kSide, 1);
}

// Columns of B lie as rows of 32 bytes in their fractals.
void add_b(Footprint& f, const opk_mmad_v1& x, const Extent& e) {
  Access& access = f.add(part(x.b, 0, uint64_t{x.n} * 32, false));
  access.repeats = ceil_div(x.k, e.c0);
  access.repeat_pitch = int64_t{e.n16} * kFractal;
}

bool admit(Core& core, const opk_mmad_v1& x, const void* pc) {
  const Extent e = extent_of(x);
  Footprint f;
  f.name = "Mmad";
  f.kind = InstructionKind::kMmad;
  f.pipe = OPK_PIPE_M;
  f.instruction = &x;
  f.pc = pc;
  add_a(f, x, e);
  add_b(f, x, e);
  if (x.init == 1) {
    Access& old = f.add(part(x.c, 0, uint64_t{x.m} * 64, false));
    old.repeats = e.n16;
    old.repeat_pitch = int64_t{e.m16} * 1024;
  }
  if (x.init == 2) f.add(part(x.bias, 0, uint64_t{x.n} * 4, false));
  f.add(part(x.c, 0, e.c, true));
  return core.observer->admit(core, f);
}

// A as rows of floats, padded with zeros to whole blocks of 16 rows. Returns the pitch.
uint32_t unpack_a(const opk_mmad_v1& x, const Extent& e, float* out) {
  const uint32_t pitch = ceil_div(x.k, e.c0) * e.c0;
  const uint32_t bytes = kFractal / kSide;
  for (uint32_t r = 0; r < e.m16 * kSide; ++r) {
    float* row = out + size_t{r} * pitch;
    if (r >= x.m) {
      std::fill_n(row, pitch, 0.0f);
    } else if (x.m == 1) {
      expand_row(x.a.dtype, x.a.address, 0, x.k, x.hf32, row);
    } else {
      const auto* block = static_cast<const uint8_t*>(x.a.address) +
                          size_t{r / kSide} * e.k_fractals * kFractal + r % kSide * bytes;
      for (uint32_t j = 0; j * e.c0 < x.k; ++j)
        expand_row(x.a.dtype, block + size_t{j} * kFractal, 0, e.c0, x.hf32, row + j * e.c0);
    }
  }
  return pitch;
}

// One fractal of B, 16 columns of c0, becomes c0 rows of 16 columns.
void turn_fractal(const float* columns, uint32_t c0, uint32_t used, float* rows) {
  for (uint32_t c = 0; c < kSide; ++c) {
    if (c < used) {
      for (uint32_t k = 0; k < c0; ++k) rows[k * kSide + c] = columns[c * c0 + k];
    } else {
      for (uint32_t k = 0; k < c0; ++k) rows[k * kSide + c] = 0.0f;
    }
  }
}

void unpack_b(const opk_mmad_v1& x, const Extent& e, float* out) {
  const uint32_t k_rows = ceil_div(x.k, e.c0);
  alignas(64) float columns[kSide * 64];
  for (uint32_t panel = 0; panel < e.n16; ++panel) {
    const uint32_t used = std::min(kSide, x.n - panel * kSide);
    float* rows = out + size_t{panel} * k_rows * e.c0 * kSide;
    for (uint32_t j = 0; j < k_rows; ++j) {
      const auto* fractal =
          static_cast<const uint8_t*>(x.b.address) + (size_t{j} * e.n16 + panel) * kFractal;
      expand_row(x.b.dtype, fractal, 0, used * e.c0, x.hf32, columns);
      turn_fractal(columns, e.c0, used, rows + size_t{j} * e.c0 * kSide);
    }
  }
}

void start_c(const opk_mmad_v1& x, const Extent& e) {
  if (x.init == 1) return;
  auto* c = static_cast<uint8_t*>(x.c.address);
  if (x.init == 0) {
    std::memset(c, 0, e.c);
    return;
  }
  const auto* bias = static_cast<const uint8_t*>(x.bias.address);
  for (uint32_t panel = 0; panel < e.n16; ++panel) {
    uint8_t row[kSide * 4] = {};
    const uint32_t used = std::min(kSide, x.n - panel * kSide);
    std::memcpy(row, bias + size_t{panel} * sizeof row, size_t{used} * 4);
    for (uint32_t r = 0; r < e.m16 * kSide; ++r, c += sizeof row) std::memcpy(c, row, sizeof row);
  }
}

Products products_of(const opk_mmad_v1& x) {
  if (x.c.dtype == OPK_INT32) return Products::kInteger;
  return x.a.dtype == OPK_FLOAT16 ? Products::kExact : Products::kRounded;
}

void apply(Core& core, const opk_mmad_v1& x) {
  const Extent e = extent_of(x);
  const uint32_t k_up = ceil_div(x.k, e.c0) * e.c0;
  PanelProduct p;
  float* a = core.cube.a.take(size_t{e.m16} * kSide * k_up);
  float* b = core.cube.b.take(size_t{e.n16} * kSide * k_up);
  p.a_pitch = unpack_a(x, e, a);
  unpack_b(x, e, b);
  start_c(x, e);
  p.a = a;
  p.b = b;
  p.c = x.c.address;
  p.rows = p.c_rows = e.m16 * kSide;
  p.panels = e.n16;
  p.k = x.k;
  p.b_panel_rows = k_up;
  multiply_panels(products_of(x), p);
}

}  // namespace

void exec_mmad(opk_core* base, const opk_mmad_v1* x) {
  Core& core = Core::of(base);
  const void* pc = __builtin_return_address(0);
  if (x->m == 0 || x->n == 0 || x->k == 0) return;
  if (!check(core, *x, pc)) return;
  if (core.observer && !admit(core, *x, pc)) return;
  apply(core, *x);
}

}  // namespace opkit::core
