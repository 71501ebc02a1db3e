// Mmad: its checks and what it tells observers. Semantics: the vendor's page "Mmad"; layouts:
// "关键分形格式详解". The order of accumulation is documented in multiply.h. Elements of A and B
// behind m, n and k count as zero, so that the padding of the last fractals of C becomes the start
// value. Users of the chip report that it multiplies what lies behind k up to the end of the
// fractal: Checked warns when that is not zero (mmad_behind_k.cpp).
#include <algorithm>
#include <string>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/cube/sparse.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kMaxSize = 4095;

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
  const MmadExtent e = extent_of(x);
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

// Adds what is read of A: the whole blocks of rows, then the rows of the last one without padding.
void add_a(Footprint& f, const opk_mmad_v1& x, const MmadExtent& e) {
  if (x.m == 1 && !is_sparse(x)) {
    f.make([&] { return part(x.a, 0, e.a, false); });
    return;
  }
  const uint64_t block = uint64_t{e.k_fractals} * kFractal;
  const uint32_t used = (x.k + e.c0 - 1) / e.c0;
  const auto rows = [&](uint64_t offset, uint32_t count, uint32_t blocks) {
    if (count == 0 || blocks == 0) return;
    Access& access = f.make([&] { return part(x.a, offset, uint64_t{count} * 32, false); });
    access.blocks = used;
    access.block_pitch = kFractal;
    access.repeats = blocks;
    access.repeat_pitch = static_cast<int64_t>(block);
  };
  rows(0, kSide, x.m / kSide);
  rows(x.m / kSide * block, x.m % kSide, 1);
}

// Columns of B lie as rows of 32 bytes in their fractals.
void add_b(Footprint& f, const opk_mmad_v1& x, const MmadExtent& e) {
  Access& access = f.make([&] { return part(x.b, 0, uint64_t{x.n} * 32, false); });
  access.repeats = e.k_steps;
  access.repeat_pitch = int64_t{e.n16} * kFractal;
}

bool admit(Core& core, const opk_mmad_v1& x, const void* pc) {
  const MmadExtent e = extent_of(x);
  Footprint f;
  f.name = is_sparse(x) ? "MmadWithSparse" : "Mmad";
  f.kind = InstructionKind::kMmad;
  f.pipe = OPK_PIPE_M;
  f.instruction = &x;
  f.pc = pc;
  add_a(f, x, e);
  add_b(f, x, e);
  if (x.init == 1) {
    Access& old = f.make([&] { return part(x.c, 0, uint64_t{x.m} * 64, false); });
    old.repeats = e.n16;
    old.repeat_pitch = int64_t{e.m16} * 1024;
  }
  if (x.init == 2) f.make([&] { return part(x.bias, 0, uint64_t{x.n} * 4, false); });
  f.make([&] { return part(x.c, 0, e.c, true); });
  return core.observer->admit(core, f);
}

}  // namespace

void exec_mmad(opk_core* base, const opk_mmad_v1* x) {
  Core& core = Core::of(base);
  const void* pc = core.place(__builtin_return_address(0));
  if (x->m == 0 || x->n == 0 || x->k == 0) return;
  if (!arch_has_mmad(core, *x, pc) || !check(core, *x, pc)) return;
  if (core.observer && !admit(core, *x, pc)) return;
  if (core.observer && core.observer->forbids_excess()) judge_behind_k(core, *x, pc);
  if (is_sparse(*x))
    compute_sparse(core, *x, pc);
  else
    compute_mmad(core, *x);
}

}  // namespace opkit::core
