// DataCopy, DataCopyPad, the ND <-> NZ changes, the bias table and constant fills.
// Semantics: the vendor's pages "DataCopy", "DataCopyPad(ISASI)", "随路转换ND2NZ搬运",
// "随路转换NZ2ND搬运", "InitConstValue".
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/panels.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"
#include "opkit/num/half.h"

namespace opkit::core {
namespace {

constexpr uint64_t kBlock = 32;  // bytes

uint64_t round_up(uint64_t bytes) { return (bytes + kBlock - 1) / kBlock * kBlock; }

const char* name_of(uint16_t op) {
  static constexpr const char* kNames[] = {"DataCopy",        "DataCopyPad",     "DataCopyPad",
                                           "DataCopy(Nd2Nz)", "DataCopy(Nz2Nd)", "DataCopy(bias)",
                                           "InitConstValue"};
  return kNames[op];
}

uint8_t* at(const opk_operand& o, int64_t offset) {
  return static_cast<uint8_t*>(o.address) + offset;
}

// Bytes from the first to behind the last byte of `count` runs.
uint64_t span_of(uint64_t count, int64_t pitch, uint64_t bytes) {
  return count == 0 || bytes == 0 ? 0 : static_cast<uint64_t>(pitch) * (count - 1) + bytes;
}

// Bytes from the first to behind the last byte that a side touches.
struct Extents {
  uint64_t src = 0, dst = 0;
};

uint64_t element_bytes(const opk_copy_v1& c) { return std::max(1u, dtype_bytes(c.dst.dtype)); }

bool is_matrix(const opk_copy_v1& c) { return c.op == OPK_C_ND2NZ || c.op == OPK_C_NZ2ND; }

uint64_t panels_of(const opk_copy_v1& c) {
  const uint64_t c0 = kBlock / element_bytes(c);
  return (c.columns + c0 - 1) / c0;
}

Extents matrix_extents(const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  const uint64_t nd =
      (c.matrix_count - 1) * c.nd_matrix_pitch * size +
      span_of(c.rows, static_cast<int64_t>(c.nd_row_pitch * size), c.columns * size);
  const uint64_t nz = (c.matrix_count - 1) * c.nz_matrix_pitch * size +
                      (panels_of(c) - 1) * c.nz_column_pitch * kBlock +
                      span_of(c.rows, static_cast<int64_t>(c.nz_row_pitch * kBlock), kBlock);
  return c.op == OPK_C_ND2NZ ? Extents{nd, nz} : Extents{nz, nd};
}

// What a block becomes on the other side.
uint64_t written_block(const opk_copy_v1& c) {
  if (c.op == OPK_C_PAD_IN)
    return round_up(c.block_bytes + (c.pad_left + c.pad_right) * element_bytes(c));
  if (c.op == OPK_C_BIAS && c.src.dtype == OPK_FLOAT16 && c.dst.dtype == OPK_FLOAT32)
    return 2 * c.block_bytes;
  return c.block_bytes;
}

Extents extents_of(const opk_copy_v1& c) {
  if (is_matrix(c)) return matrix_extents(c);
  return {c.op == OPK_C_FILL ? 0 : span_of(c.block_count, c.src_pitch, c.block_bytes),
          span_of(c.block_count, c.dst_pitch, written_block(c))};
}

struct Sides {
  Access src, dst;
};

Access runs(const opk_operand& o, uint32_t count, uint64_t bytes, int64_t pitch, bool write) {
  Access access;
  access.memory = static_cast<opk_memory>(o.memory);
  access.address = static_cast<const uint8_t*>(o.address);
  access.block_bytes = static_cast<uint32_t>(bytes);
  access.blocks = count;
  access.block_pitch = pitch;
  access.write = write;
  access.dtype = o.dtype;
  access.buffer = o.buffer;
  return access;
}

// The row-major and the fractal side of an ND <-> NZ change. Rows behind nValue are not touched; on
// the fractal side columns are rounded up to C0.
Sides matrix_sides(const opk_copy_v1& c, const opk_operand& nd, const opk_operand& nz, bool to_nz) {
  const uint64_t size = element_bytes(c);
  Access rows =
      runs(nd, c.rows, c.columns * size, static_cast<int64_t>(c.nd_row_pitch * size), !to_nz);
  rows.repeats = c.matrix_count;
  rows.repeat_pitch = static_cast<int64_t>(c.nd_matrix_pitch * size);
  Access fractals = runs(nz, c.rows, kBlock, static_cast<int64_t>(c.nz_row_pitch * kBlock), to_nz);
  fractals.repeats = static_cast<uint32_t>(panels_of(c));
  fractals.repeat_pitch = static_cast<int64_t>(c.nz_column_pitch * kBlock);
  return to_nz ? Sides{rows, fractals} : Sides{fractals, rows};
}

Sides sides_of(const opk_copy_v1& c) {
  if (c.op == OPK_C_ND2NZ) return matrix_sides(c, c.src, c.dst, true);
  if (c.op == OPK_C_NZ2ND) return matrix_sides(c, c.dst, c.src, false);
  return {runs(c.src, c.block_count, c.block_bytes, c.src_pitch, false),
          runs(c.dst, c.block_count, written_block(c), c.dst_pitch, true)};
}

bool admit(Core& core, const opk_copy_v1& c, const void* pc) {
  const Sides sides = sides_of(c);
  Footprint footprint;
  footprint.name = name_of(c.op);
  footprint.kind = InstructionKind::kCopy;
  footprint.pipe = static_cast<opk_pipe>(c.pipe);
  footprint.instruction = &c;
  footprint.pc = pc;
  const bool matrices = is_matrix(c);
  const uint32_t count = matrices ? std::min(c.matrix_count, (Footprint::kMaxAccesses - 1) / 2) : 1;
  const int64_t size = static_cast<int64_t>(element_bytes(c));
  for (uint32_t m = 0; m < count; ++m) {
    Access src = sides.src, dst = sides.dst;
    if (matrices) {
      (c.op == OPK_C_ND2NZ ? dst : src).address +=
          static_cast<int64_t>(m * c.nz_matrix_pitch) * size;
    }
    if (c.op != OPK_C_FILL && m == 0) footprint.add(src);
    if (c.op == OPK_C_NZ2ND && m > 0) footprint.add(src);
    if (c.op == OPK_C_ND2NZ || m == 0) footprint.add(dst);
  }
  return core.observer->admit(core, footprint);
}

// Alignment of a local address: 32 bytes; L0A and L0B hold fractals of 512 bytes, BT and FB 64.
uint32_t alignment_of(const opk_operand& o) {
  switch (o.memory) {
    case OPK_MEM_L0A:
    case OPK_MEM_L0B: return 512;
    case OPK_MEM_L0C:
    case OPK_MEM_BT:
    case OPK_MEM_FB: return 64;
    default: return kBlock;
  }
}

// extents.src: the bytes of the source that must be there.
bool check(Core& core, const opk_copy_v1& c, const Extents& extents, const void* pc) {
  const char* name = name_of(c.op);
  if (c.op != OPK_C_FILL &&
      !check_operand(core, c.src, extents.src, alignment_of(c.src), false, {name, "source", pc})) {
    return false;
  }
  return check_atomic(core, c.dst, name, pc) &&
         check_operand(core, c.dst, extents.dst, alignment_of(c.dst), true,
                       {name, "destination", pc});
}

void put(Core& core, const opk_copy_v1& c, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  if (c.dst.memory == OPK_MEM_GM && core.atomic != OPK_ATOMIC_NONE) {
    store_atomic(core, dst, src, bytes);
  } else {
    std::memmove(dst, src, bytes);
  }
}

void copy_runs(Core& core, const opk_copy_v1& c) {
  const bool dense =
      c.src_pitch == static_cast<int64_t>(c.block_bytes) && c.dst_pitch == c.src_pitch;
  if (dense || c.block_count == 1) {
    return put(core, c, at(c.dst, 0), at(c.src, 0), c.block_bytes * (dense ? c.block_count : 1));
  }
  for (uint32_t b = 0; b < c.block_count; ++b) {
    put(core, c, at(c.dst, b * c.dst_pitch), at(c.src, b * c.src_pitch), c.block_bytes);
  }
}

void fill_elements(uint8_t* dst, uint64_t bytes, const void* value, uint64_t size) {
  for (uint64_t i = 0; i + size <= bytes; i += size) std::memcpy(dst + i, value, size);
}

// Each block: left elements, the data, right elements, then filler up to 32 bytes. Filler is the
// block's first element when neither side is padded; otherwise the pad value (DataCopyPad(ISASI)).
void copy_padded(const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  const uint64_t left = c.pad_left * size, used = left + c.block_bytes;
  const uint64_t whole = round_up(used + c.pad_right * size);
  for (uint32_t b = 0; b < c.block_count; ++b) {
    uint8_t* dst = at(c.dst, b * c.dst_pitch);
    const uint8_t* src = at(c.src, b * c.src_pitch);
    const void* filler = left == 0 && c.pad_right == 0 ? static_cast<const void*>(src) : &c.value;
    std::memcpy(dst + left, src, c.block_bytes);
    if (left) fill_elements(dst, left, filler, size);
    if (whole > used) fill_elements(dst + used, whole - used, filler, size);
  }
}

PanelChange panel_change(const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  PanelChange change;
  change.nd = at(c.src, 0);
  change.nd_row_pitch = c.nd_row_pitch * size;
  change.nd_matrix_pitch = c.nd_matrix_pitch * size;
  change.nz = at(c.dst, 0);
  change.nz_row_pitch = c.nz_row_pitch * kBlock;
  change.nz_panel_pitch = c.nz_column_pitch * kBlock;
  change.nz_matrix_pitch = c.nz_matrix_pitch * size;
  change.matrices = c.matrix_count;
  change.rows = c.rows;
  change.row_bytes = c.columns * size;
  return change;
}

void nz_to_nd(Core& core, const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  for (uint32_t m = 0; m < c.matrix_count; ++m) {
    uint8_t* nd = at(c.dst, static_cast<int64_t>(m * c.nd_matrix_pitch * size));
    const uint8_t* nz = at(c.src, static_cast<int64_t>(m * c.nz_matrix_pitch * size));
    for (uint32_t n = 0; n < c.rows; ++n) {
      const uint8_t* in = nz + uint64_t{n} * c.nz_row_pitch * kBlock;
      uint8_t* row = nd + uint64_t{n} * c.nd_row_pitch * size;
      for (uint64_t left = c.columns * size; left > 0; in += c.nz_column_pitch * kBlock) {
        const uint64_t part = std::min(left, kBlock);
        put(core, c, row, in, part);
        row += part;
        left -= part;
      }
    }
  }
}

void widen_bias(const opk_copy_v1& c) {
  for (uint32_t b = 0; b < c.block_count; ++b) {
    const uint8_t* src = at(c.src, b * c.src_pitch);
    uint8_t* dst = at(c.dst, b * c.dst_pitch);
    for (uint64_t i = 0; i < c.block_bytes / 2; ++i) {
      Half h;
      std::memcpy(&h, src + 2 * i, 2);
      const float f = h;
      std::memcpy(dst + 4 * i, &f, 4);
    }
  }
}

void fill_blocks(const opk_copy_v1& c) {
  for (uint32_t b = 0; b < c.block_count; ++b) {
    fill_elements(at(c.dst, b * c.dst_pitch), c.block_bytes, &c.value, element_bytes(c));
  }
}

// A copy of one contiguous run between GM and UB that may be noted instead of made.
bool is_plain_run(const opk_copy_v1& c) {
  const bool dense =
      c.src_pitch == static_cast<int64_t>(c.block_bytes) && c.dst_pitch == c.src_pitch;
  return (c.op == OPK_C_LINEAR && dense) ||
         (c.op <= OPK_C_PAD_OUT && c.block_count == 1 && c.pad_left + c.pad_right == 0);
}

// Only the filler behind the data is written now.
bool note_view(Core& core, const opk_copy_v1& c, const Extents& extents) {
  if (c.dst.memory != OPK_MEM_UB || c.src.memory != OPK_MEM_GM || !is_plain_run(c)) return false;
  const uint64_t bytes = c.block_bytes * c.block_count;
  if (bytes < GmViews::kMinBytes || !core.views.add(at(c.dst, 0), at(c.src, 0), bytes))
    return false;
  if (extents.dst > bytes)
    fill_elements(at(c.dst, 0) + bytes, extents.dst - bytes, at(c.src, 0), element_bytes(c));
  core.scalar_watch = 1;
  return true;
}

template <size_t size>
void copy_row(void* dst, const void* a, const void*, const RowContext&, size_t n) {
  std::memcpy(dst, a, n * size);
}

// The last step computes what this copy takes out: it writes GM itself, and UB is noted as a view
// of that.
bool end_chain_in_gm(Core& core, const opk_copy_v1& c, uint64_t bytes) {
  uint8_t* local = at(c.src, 0);
  uint8_t* gm = at(c.dst, 0);
  if (core.chain.last().dst != local || bytes < GmViews::kMinBytes) return false;
  core.gm_written(gm, bytes);
  if (!core.chain.redirect_last(gm)) return false;
  core.chain.flush();
  if (!core.views.add(local, gm, bytes)) std::memcpy(local, gm, bytes);
  core.scalar_watch = 1;
  return true;
}

// A copy out of what the chain is about to compute becomes its last step, so that every chunk
// leaves the cache only once. True: done.
bool end_chain(Core& core, const opk_copy_v1& c) {
  if (c.dst.memory != OPK_MEM_GM || c.src.memory != OPK_MEM_UB || !is_plain_run(c) ||
      core.atomic != OPK_ATOMIC_NONE) {
    return false;
  }
  const uint64_t bytes = c.block_bytes * c.block_count, size = element_bytes(c);
  if (bytes != core.chain.elements() * size) return false;
  if (end_chain_in_gm(core, c, bytes)) return true;
  const uint8_t* src = core.views.read(at(c.src, 0), bytes);
  RowStep step;
  step.fn = size == 1   ? copy_row<1>
            : size == 2 ? copy_row<2>
            : size == 4 ? copy_row<4>
                        : copy_row<8>;
  step.dst = at(c.dst, 0);
  step.a = step.b = src;
  step.dst_bytes = step.src_bytes = static_cast<uint32_t>(size);
  if (!core.chain.joins(step, core.chain.elements())) return false;
  core.gm_written(step.dst, bytes);
  core.chain.issue(step, core.chain.elements());
  core.chain.flush();
  return true;
}

void read_ahead(Core& core, const opk_copy_v1& c, bool later) {
  const uint64_t size = element_bytes(c);
  core.cube.ahead.note(at(c.src, 0), c.columns * size, uint64_t{c.matrix_count} * c.rows,
                       c.nd_row_pitch * size, later);
}

// Fractals that the cube unit may get straight from GM.
bool note_panels(Core& core, const opk_copy_v1& c) {
  if (c.op != OPK_C_ND2NZ || c.dst.memory != OPK_MEM_L1 || c.src.memory != OPK_MEM_GM) return false;
  if (!core.cube.l1.add(panel_change(c))) return false;
  read_ahead(core, c, true);
  core.scalar_watch = 1;
  return true;
}

// Whether every byte of the destination's extent is overwritten.
bool leaves_no_gaps(const opk_copy_v1& c) {
  if (c.op == OPK_C_ND2NZ) return PanelViews::is_dense(panel_change(c));
  return c.block_count == 1 || c.dst_pitch == static_cast<int64_t>(written_block(c));
}

// What was noted in the destination is gone, or is made where the copy leaves some of it.
void overwrite(Core& core, const opk_copy_v1& c, const Extents& extents) {
  const bool whole = leaves_no_gaps(c);
  if (c.dst.memory == OPK_MEM_L1) return core.l1_written(at(c.dst, 0), extents.dst, whole);
  if (!whole) core.views.settle();
  core.views.written(at(c.dst, 0), extents.dst);
}

// Views that this copy reads, overwrites or whose source it changes. REQUIRES: core.puts_off. True:
// nothing is left to do.
bool use_views(Core& core, const opk_copy_v1& c, const Extents& extents) {
  if (!core.chain.empty()) {
    if (end_chain(core, c)) return true;
    core.chain.flush();
  }
  if (c.src.memory == OPK_MEM_L1) core.cube.l1.read(at(c.src, 0), extents.src);
  if (c.dst.memory == OPK_MEM_GM) {
    core.gm_written(at(c.dst, 0), extents.dst);
    if (core.views.empty()) return false;
    if (c.src.memory != OPK_MEM_UB) return false;
    if (!is_plain_run(c)) return core.settle(), false;
    const uint64_t bytes = c.block_bytes * c.block_count;
    put(core, c, at(c.dst, 0), core.views.read(at(c.src, 0), bytes), bytes);
    return true;
  }
  if (c.src.memory == OPK_MEM_UB) core.settle();
  overwrite(core, c, extents);
  return note_view(core, c, extents) || note_panels(core, c);
}

void apply(Core& core, const opk_copy_v1& c) {
  switch (c.op) {
    case OPK_C_PAD_IN: return copy_padded(c);
    case OPK_C_ND2NZ: read_ahead(core, c, false); return change_to_panels(panel_change(c));
    case OPK_C_NZ2ND: return nz_to_nd(core, c);
    case OPK_C_FILL: return fill_blocks(c);
    case OPK_C_BIAS:
      return c.src.dtype == OPK_FLOAT16 && c.dst.dtype == OPK_FLOAT32 ? widen_bias(c)
                                                                      : copy_runs(core, c);
    default: return copy_runs(core, c);
  }
}

bool is_empty(const opk_copy_v1& c) {
  if (is_matrix(c)) return c.matrix_count == 0 || c.rows == 0 || c.columns == 0;
  return c.block_count == 0 || (c.block_bytes == 0 && c.pad_left + c.pad_right == 0);
}

// DataCopyPad counts bytes: it has no reason to read behind a tensor.
bool moves_whole_blocks(uint32_t op) { return op != OPK_C_FILL && op != OPK_C_PAD_IN; }

void warn_of_tail(Core& core, const opk_copy_v1& c, uint64_t missing, const void* pc) {
  if (!core.observer) return;
  Fault fault;
  fault.code = "EK1009";
  fault.warning = true;
  fault.message = std::string(name_of(c.op)) + ": reads " + std::to_string(missing) +
                  " bytes behind a GM tensor; allocations have up to 63 there, whose values are "
                  "unspecified";
  fault.action = "use DataCopyPad for the tail, or make sure that the kernel does not use them";
  fault.pc = pc;
  fault.block = core.block;
  fault.sub_block = core.lane;
  core.observer->recover(core, fault);
}

// A read that ends in the tail of its GM tensor: what is missing is all ones, as memories are under
// Checked, so that a kernel that uses it shows.
void copy_with_tail(Core& core, const opk_copy_v1& c, const Extents& extents, uint64_t there) {
  static thread_local std::vector<uint8_t> source;
  source.assign(extents.src, 0xFF);
  std::memcpy(source.data(), c.src.address, there);
  opk_copy_v1 whole = c;
  whole.src.address = source.data();
  whole.src.bytes = extents.src;
  core.settle();
  if (core.puts_off) overwrite(core, c, extents);
  apply(core, whole);
}

}  // namespace

void exec_copy(opk_core* base, const opk_copy_v1* c) {
  if (is_empty(*c)) return;
  Core& core = Core::of(base);
  const void* pc = __builtin_return_address(0);
  const Extents extents = extents_of(*c);
  Extents checked = extents;
  if (c->src.memory == OPK_MEM_GM && moves_whole_blocks(c->op))
    checked.src = bytes_before_tail(core, c->src, extents.src);
  if (!arch_has_copy(core, *c, name_of(c->op), pc) || !check(core, *c, checked, pc)) return;
  if (checked.src < extents.src) [[unlikely]]
    warn_of_tail(core, *c, extents.src - checked.src, pc);
  if (core.observer && !admit(core, *c, pc)) return;
  if (checked.src < extents.src) [[unlikely]]
    return copy_with_tail(core, *c, extents, checked.src);
  if (core.puts_off && use_views(core, *c, extents)) return;
  if (c->dst.memory == OPK_MEM_L0A) core.cube.l0a.written(at(c->dst, 0), extents.dst);
  if (c->dst.memory == OPK_MEM_L0B) core.cube.l0b.written(at(c->dst, 0), extents.dst);
  apply(core, *c);
}

}  // namespace opkit::core
