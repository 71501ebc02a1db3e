// The Matmul object's blocks, computed straight from where the operands lie. Semantics: the
// vendor's pages "Iterate", "GetTensorC", "IterateAll". The order of accumulation is that of Mmad
// (multiply.h).
#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/core/fractals/expand.h"
#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/multiply.h"
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/matmul_checks.h"
#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/cube/sparse_matrix.h"
#include "opkit/core/isa/cube/store_c.h"
#include "opkit/core/isa/cube/unpack.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/isa/unchecked.h"
#include "opkit/core/state/lent_memory.h"

namespace opkit::core {
namespace {

constexpr uint32_t kStepK = 128;  // rows of B expanded at a time
constexpr uint64_t kKeepInfNan = uint64_t{1} << 48;

uint32_t up16(uint32_t n) { return (n + kSide - 1) / kSide * kSide; }

// count elements of a stored row as floats.
void expand_line(const opk_matrix& m, uint32_t row, uint32_t col, uint32_t count, uint8_t hf32,
                 float* out) {
  const uint32_t c0 = static_cast<uint32_t>(c0_of(m));
  while (count > 0) {
    const uint32_t part = m.nz ? std::min(count, c0 - col % c0) : count;
    expand_row(m.data.dtype, m.data.address, offset_of(m, row, col), part, hf32, out);
    out += part;
    col += part;
    count -= part;
  }
}

// Columns k0 to k0 + count of A as rows of `count` floats.
void unpack_a(const MatmulCall& x, uint32_t k0, uint32_t count, float* line, float* out) {
  const opk_matrix& a = x.a;
  if (!a.transposed) {
    for (uint32_t i = 0; i < x.m; ++i)
      expand_line(a, a.row0 + i, a.col0 + k0, count, x.hf32, out + size_t{i} * count);
    return;
  }
  for (uint32_t k = 0; k < count; ++k) {
    expand_line(a, a.col0 + k0 + k, a.row0, x.m, x.hf32, line);
    for (uint32_t i = 0; i < x.m; ++i) out[size_t{i} * count + k] = line[i];
  }
}

// Rows k0 to k0 + count of B as panels of 16 columns; columns behind n are zero.
void unpack_b(const MatmulCall& x, uint32_t k0, uint32_t count, float* line, float* out) {
  const opk_matrix& b = x.b;
  const size_t panel = size_t{count} * kSide;
  const auto place = [&](uint32_t k, uint32_t j) {
    return j / kSide * panel + size_t{k} * kSide + j % kSide;
  };
  std::fill(out + (up16(x.n) / kSide - 1) * panel, out + up16(x.n) / kSide * panel, 0.0f);
  const uint32_t lines = b.transposed ? x.n : count, length = b.transposed ? count : x.n;
  for (uint32_t i = 0; i < lines; ++i) {
    if (b.transposed) {
      expand_line(b, b.col0 + i, b.row0 + k0, length, x.hf32, line);
      for (uint32_t k = 0; k < length; ++k) out[place(k, i)] = line[k];
    } else {
      expand_line(b, b.row0 + k0 + i, b.col0, length, x.hf32, line);
      for (uint32_t j = 0; j < length; j += kSide)
        std::memcpy(out + place(i, j), line + j, std::min(kSide, length - j) * sizeof(float));
    }
  }
}

MatmulBlock& block_of(Core& core, uint64_t owner) {
  for (MatmulBlock& block : core.cube.blocks) {
    if (block.owner == owner) return block;
  }
  core.cube.blocks.emplace_back().owner = owner;
  return core.cube.blocks.back();
}

// Panels start from the bias, or from zero.
void start_block(const MatmulCall& x, MatmulBlock& block) {
  block.m = x.m;
  block.n = x.n;
  block.panels.assign(size_t{up16(x.m)} * up16(x.n), 0.0f);
  if (!x.bias.address) return;
  std::vector<float> bias(up16(x.n), 0.0f);
  if (x.bias.dtype == OPK_INT32)
    std::memcpy(bias.data(), x.bias.address, size_t{x.n} * 4);
  else
    expand_row(x.bias.dtype, x.bias.address, 0, x.n, 0, bias.data());
  float* out = block.panels.data();
  for (uint32_t j = 0; j < x.n; j += kSide) {
    for (uint32_t r = 0; r < up16(x.m); ++r, out += kSide)
      std::memcpy(out, bias.data() + j, kSide * sizeof(float));
  }
}

Products products_of(const MatmulCall& x) {
  if (integers(x)) return Products::kInteger;
  if (x.a.data.dtype == OPK_BFLOAT16) return Products::kPairs;
  return x.a.data.dtype == OPK_FLOAT16 || x.hf32 ? Products::kExact : Products::kFused;
}

PanelProduct product_of(const MatmulCall& x, MatmulBlock& block) {
  PanelProduct p;
  p.c = block.panels.data();
  p.rows = x.m;
  p.c_rows = up16(x.m);
  p.panels = up16(x.n) / kSide;
  return p;
}

// Notes rows of B: what follows is fetched from GM meanwhile.
ReadAhead* note_rows_of_b(Core& core, const opk_matrix& b, const ProductSize& size) {
  if (b.nz || b.data.memory != OPK_MEM_GM) return nullptr;
  const StoredRectangle s = stored(b, size.k, size.n);
  const uint32_t bytes = dtype_bytes(b.data.dtype);
  core.cube.ahead.note(
      static_cast<const uint8_t*>(b.data.address) + offset_of(b, s.row, s.col) * bytes,
      uint64_t{s.cols} * bytes, s.rows, b.pitch * bytes, false);
  return &core.cube.ahead;
}

// Operands in the forms in which LoadData brings them to L0.
void compute_fractals(Core& core, const MatmulCall& x, MatmulBlock& block) {
  opk_matrix a = x.a, b = x.b;
  bool nan = false;
  for (uint32_t k0 = 0; k0 < x.k; k0 += kStepK, a.col0 += kStepK, b.row0 += kStepK) {
    PanelProduct p = product_of(x, block);
    p.k = std::min(kStepK, x.k - k0);
    p.b_nan = &nan;
    p.ahead = note_rows_of_b(core, b, {x.m, x.n, p.k});
    unpack_operands(a, b, {x.m, x.n, p.k}, core.cube, p);
    multiply_panels(products_of(x), p);
  }
}

// Operands as lines of floats.
void compute_lines(Core& core, const MatmulCall& x, MatmulBlock& block) {
  const uint32_t m = up16(x.m), n = up16(x.n), step = std::min(x.k, kStepK);
  const uint32_t longest = std::max({m, n, step});
  float* a = core.cube.a.take(size_t{m} * step + longest);
  float* b = core.cube.b.take(size_t{n} * step);
  float* line = a + size_t{m} * step;
  for (uint32_t k0 = 0; k0 < x.k; k0 += step) {
    PanelProduct p = product_of(x, block);
    p.k = p.run = std::min(step, x.k - k0);
    p.a_row = p.run;
    p.a_block = size_t{p.run} * kSide;
    p.b_panel = size_t{p.run} * kSide;
    unpack_a(x, k0, p.k, line, a);
    unpack_b(x, k0, p.k, line, b);
    p.a = a;
    p.b = b;
    multiply_panels(products_of(x), p);
  }
}

// False: an index that does not exist was refused.
bool compute_sparse_b(Core& core, const MatmulCall& x, MatmulBlock& block, const void* pc) {
  if (!check_indices(core, x, pc)) return false;
  DenseB b = spread(x);
  MatmulCall dense = x;
  dense.b = b.matrix(b.values);
  compute_lines(core, dense, block);
  if (b.more.empty()) return true;
  dense.b = b.matrix(b.more);
  compute_lines(core, dense, block);
  return true;
}

bool compute(Core& core, const MatmulCall& x, MatmulBlock& block, const void* pc) {
  if (!x.accumulate) start_block(x, block);
  if (is_sparse(x)) return compute_sparse_b(core, x, block, pc);
  if (has_fractal_forms(x.a.data.dtype) && !x.hf32)
    compute_fractals(core, x, block);
  else
    compute_lines(core, x, block);
  return true;
}

BlockOfC output_of(const Core& core, const MatmulCall& x, const MatmulBlock& block) {
  BlockOfC out;
  out.panels = reinterpret_cast<const uint8_t*>(block.panels.data());
  out.panel_pitch = uint64_t{up16(x.m)} * kSide * 4;
  out.m = x.m;
  out.n = x.n;
  out.conversion.quant = x.quant;
  out.conversion.integers = integers(x);
  out.conversion.saturate = !(core.ctrl & kKeepInfNan);
  out.conversion.word = x.quant_word;
  out.conversion.words = static_cast<const uint8_t*>(x.quant_vector.address);
  out.to_nd = x.to_nd;
  out.element = dtype_bytes(x.c.dtype);
  out.dst_pitch = x.c_pitch * (x.to_nd ? out.element : nz_row_bytes(out));
  return out;
}

Access reads(const opk_operand& o, uint64_t bytes) {
  Access access;
  access.memory = static_cast<opk_memory>(o.memory);
  access.address = static_cast<const uint8_t*>(o.address);
  access.block_bytes = static_cast<uint32_t>(bytes);
  access.dtype = o.dtype;
  access.buffer = o.buffer;
  return access;
}

// Returns what an observer learns of a block of a Matmul object. The object reads its operands
// where they lie. The call returns when the block is done, so observers order it like scalar work;
// Timed derives from the steps how long each pipe works for it. On a cube core, Fixpipe stores what
// goes to GM: the core waits for it with flags, and signals other cores with CrossCoreSetFlag<2,
// PIPE_FIX> (page "CrossCoreSetFlag(ISASI)").
Footprint told(const Core& core, const MatmulCall& x, const char* name, const void* pc) {
  Footprint f;
  f.name = name;
  f.kind = InstructionKind::kMatmul;
  // A block in the author's L0C is the cube pipe's.
  const bool by_fixpipe = x.store && core.kind == OPK_CORE_AIC && x.c.memory == OPK_MEM_GM;
  f.pipe = x.c.memory == OPK_MEM_L0C ? OPK_PIPE_M : by_fixpipe ? OPK_PIPE_FIX : OPK_PIPE_S;
  f.instruction = &x;
  f.pc = pc;
  return f;
}

bool admit_compute(Core& core, const MatmulCall& x, const void* pc) {
  MatmulCall part = x;
  part.store = 0;
  Footprint f = told(core, part, "Matmul::Iterate", pc);
  if (!moves(x, kOwnA)) f.add(matrix_access(x.a, x.m, x.k));
  if (!moves(x, kOwnB)) f.add(matrix_access(x.b, depth_of_b(x), x.n));
  if (is_sparse(x)) f.add(index_access(x));
  if (x.bias.address && !x.accumulate)
    f.add(reads(x.bias, uint64_t{x.n} * dtype_bytes(x.bias.dtype)));
  return core.observer->admit(core, f);
}

bool admit_store(Core& core, const MatmulCall& x, const BlockOfC& out, const void* pc) {
  MatmulCall part = x;
  part.compute = 0;
  Footprint f = told(core, part, "Matmul::GetTensorC", pc);
  if (!moves(x, kOwnC)) f.add(dst_access(out, x.c));
  if (is_vector_quant(x.quant)) f.add(reads(x.quant_vector, uint64_t{x.n} * 8));
  return core.observer->admit(core, f);
}

// What a block reads of GM.
void meet_additions_to_operands(Core& core, const MatmulCall& x) {
  if (!core.sees_additions()) return;
  if (!moves(x, kOwnA)) meet_additions(core, matrix_access(x.a, x.m, x.k));
  if (!moves(x, kOwnB)) meet_additions(core, matrix_access(x.b, depth_of_b(x), x.n));
  if (is_sparse(x)) meet_additions(core, index_access(x));
  if (x.bias.address)
    meet_additions(core, reads(x.bias, uint64_t{x.n} * dtype_bytes(x.bias.dtype)));
}

// Without an observer's leave a block has its size, and no contents.
void leave_out(const MatmulCall& x, MatmulBlock& block) {
  block.m = x.m;
  block.n = x.n;
  block.panels.assign(size_t{up16(x.m)} * up16(x.n), 0.0f);
}

void wait_only(Core& core, const MatmulCall& x, const void* pc) {
  const Footprint f = told(core, x, "Matmul::WaitIterateAll", pc);
  if (core.observer) core.observer->admit(core, f);
}

void lend(Core& core, const MatmulCall& x) {
  if (!core.cube.lent) core.cube.lent = std::make_shared<LentMemory>();
  LentMemory& memory = *core.cube.lent;
  const bool lent = x.steps.lend == 1;
  if (memory.is_lent() == lent) return;
  core.put_off.settle();
  core.observer = lent ? memory.lend(core, core.observer) : memory.take_back(core);
}

// The block as it is before the author's functions bring its first parts.
bool begin_block(Core& core, const MatmulCall& x, MatmulBlock& block, const void* pc) {
  if (!moves(x, kOwnA | kOwnB)) return compute(core, x, block, pc);
  if (!x.accumulate) start_block(x, block);
  return true;
}

}  // namespace

void exec_matmul(Core& core, const void* pc, const opk_matmul_v1* told_x) {
  const MatmulCall x = complete(*told_x);
  if (x.steps.wait && x.m == 0) return wait_only(core, x, pc);
  if (x.m == 0 && x.steps.lend) return lend(core, x);
  if (x.m == 0 || x.n == 0 || x.k == 0) return;
  if (!arch_has(core, OPK_A_MATMUL_OBJECT, "Matmul", pc) || !check_types(core, x, pc)) return;
  MatmulBlock& block = block_of(core, x.owner);
  if (x.compute && !check_inputs(core, x, pc)) return;
  if ((!x.compute || x.accumulate) && (block.m != x.m || block.n != x.n)) {
    refuse_matmul(core, "there is no computed block of this size", "call Iterate before GetTensorC",
                  pc);
    return;
  }
  if (x.compute) {
    if (core.observer && !admit_compute(core, x, pc)) {
      leave_out(x, block);
      if (!core.observer->takes_all_parts()) return;
    } else {
      meet_additions_to_operands(core, x);
      if (!begin_block(core, x, block, pc)) return;
    }
  }
  if (!x.store) return;
  const BlockOfC out = output_of(core, x, block);
  if (!moves(x, kOwnC) && !check_output(core, x, out, pc)) return;
  if (core.observer && !admit_store(core, x, out, pc)) return;
  if (moves(x, kOwnC)) return;
  if (is_vector_quant(x.quant)) meet_additions(core, reads(x.quant_vector, uint64_t{x.n} * 8));
  store_block(core, out, static_cast<uint8_t*>(x.c.address), x.c.memory == OPK_MEM_GM);
}

void run_matmul(Core& core, const MatmulCall& x) {
  MatmulBlock& block = block_of(core, x.owner);
  if (x.compute) {
    meet_additions_to_operands(core, x);
    begin_block(core, x, block, nullptr);
  }
  if (!x.store) return;
  if (is_vector_quant(x.quant)) meet_additions(core, reads(x.quant_vector, uint64_t{x.n} * 8));
  store_block(core, output_of(core, x, block), static_cast<uint8_t*>(x.c.address),
              x.c.memory == OPK_MEM_GM);
}

}  // namespace opkit::core
