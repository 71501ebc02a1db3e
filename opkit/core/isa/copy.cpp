// DataCopy, DataCopyPad, the ND <-> NZ changes, the bias table and constant fills.
// Semantics: the vendor's pages "DataCopy", "DataCopyPad(ISASI)", "随路转换ND2NZ搬运",
// "随路转换NZ2ND搬运", "InitConstValue".
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "opkit/abi/num/half.h"
#include "opkit/core/fractals/panels.h"
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/copy_run.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/unchecked.h"
#include "opkit/core/state/launch.h"
#include "opkit/core/state/tolerate.h"

namespace opkit::core {
namespace {

// Alignment of a local address: 32 bytes; L0A and L0B hold fractals of 512 bytes; BT is
// cut into 64, FB into 128 bytes.
uint32_t alignment_of(const opk_operand& o) {
  switch (o.memory) {
    case OPK_MEM_L0A:
    case OPK_MEM_L0B: return 512;
    case OPK_MEM_L0C:
    case OPK_MEM_BT: return 64;
    case OPK_MEM_FB: return 128;
    default: return kCopyBlock;
  }
}

constexpr uint8_t kShortLength = 2;  // bit of flags: blockLen came in 16 bits

// DataCopyPad counts bytes: it has no reason to read behind a tensor.
bool moves_whole_blocks(uint32_t op) { return op != OPK_C_FILL && op != OPK_C_PAD_IN; }

bool check(Core& core, const opk_copy_v1& c, const Extents& extents, const void* pc) {
  const char* name = copy_name(c.op);
  if (c.op != OPK_C_FILL && !check_operand(core, c.src, extents.src, alignment_of(c.src), false,
                                           {name, "source", pc, true, moves_whole_blocks(c.op)})) {
    return false;
  }
  return check_atomic(core, c.dst, name, pc) &&
         check_operand(core, c.dst, extents.dst, alignment_of(c.dst), true,
                       {name, "destination", pc});
}

void put(Core& core, const opk_copy_v1& c, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  if (c.dst.memory == OPK_MEM_GM) return store(core, dst, src, bytes);
  std::memmove(dst, src, bytes);
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

// Each block: left elements, the data, right elements, then filler up to 32 bytes. Filler is the
// block's first element when neither side is padded; otherwise the pad value (DataCopyPad(ISASI)).
void copy_padded(const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  const uint64_t left = c.pad_left * size, used = left + c.block_bytes;
  const uint64_t whole = whole_blocks(used + c.pad_right * size);
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
  change.nz_row_pitch = c.nz_row_pitch * kCopyBlock;
  change.nz_panel_pitch = c.nz_column_pitch * kCopyBlock;
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
      const uint8_t* in = nz + uint64_t{n} * c.nz_row_pitch * kCopyBlock;
      uint8_t* row = nd + uint64_t{n} * c.nd_row_pitch * size;
      for (uint64_t left = c.columns * size; left > 0; in += c.nz_column_pitch * kCopyBlock) {
        const uint64_t part = std::min(left, kCopyBlock);
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

void read_ahead(Core& core, const opk_copy_v1& c, bool later) {
  const uint64_t size = element_bytes(c);
  core.cube.ahead.note(at(c.src, 0), c.columns * size, uint64_t{c.matrix_count} * c.rows,
                       c.nd_row_pitch * size, later);
}

// Fractals that the cube unit may get straight from GM.
bool note_panels(Core& core, const opk_copy_v1& c) {
  if (c.op != OPK_C_ND2NZ || c.dst.memory != OPK_MEM_L1 || c.src.memory != OPK_MEM_GM) return false;
  if (!core.put_off.change_later(panel_change(c))) return false;
  read_ahead(core, c, true);
  return true;
}

// Tells whether every byte of the destination's extent is overwritten.
bool leaves_no_gaps(const opk_copy_v1& c) {
  if (c.op == OPK_C_ND2NZ) return PanelViews::is_dense(panel_change(c));
  return c.block_count == 1 || c.dst_pitch == static_cast<int64_t>(written_block(c));
}

void touch(Core& core, const opk_copy_v1& c, const Extents& extents) {
  core.put_off.about_to_read(c.src.memory, c.src.address, extents.src);
  core.put_off.about_to_write(c.dst.memory, c.dst.address, extents.dst, leaves_no_gaps(c));
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

// What counts bytes where DataCopy counts blocks.
std::string byte_copy(const Core& core) {
  return arch_can(core, OPK_A_PAD_COPY)
             ? "use DataCopyPad, which counts bytes"
             : "round the count up where both sides have room, or move the rest by GetValue and "
               "SetValue: this chip has no DataCopyPad";
}

// A count that rounds down to no block at all.
void tell_of_nothing(Core& core, const opk_copy_v1& c, const void* pc) {
  if (!c.flags || (c.op != OPK_C_LINEAR && c.op != OPK_C_BIAS)) return;
  tell(core, Excess::kNothing, true, [&] {
    Fault fault;
    fault.code = "EK1012";
    fault.message = std::string(copy_name(c.op)) + ": its elements of " + dtype_name(c.src.dtype) +
                    " are less than a block of 32 bytes, so nothing is copied";
    fault.action = byte_copy(core);
    fault.pc = pc;
    return fault;
  });
}

// A count of no whole blocks: the last bytes stay behind (page "DataCopy").
void tell_of_cut(Core& core, const opk_copy_v1& c, const void* pc) {
  if (core.library != 0 || (c.op != OPK_C_LINEAR && c.op != OPK_C_BIAS)) return;
  tell(core, Excess::kCut, true, [&] {
    Fault fault;
    fault.code = "EK1014";
    fault.message = std::string(copy_name(c.op)) + ": moves " + std::to_string(c.block_bytes) +
                    " of " + std::to_string(c.block_bytes + c.reserved) +
                    " bytes: a count is rounded down to whole blocks of 32 bytes, and the last " +
                    std::to_string(c.reserved) + " bytes stay behind";
    fault.action = byte_copy(core);
    fault.pc = pc;
    return fault;
  });
}

// Returns the bytes of GM from the copy's place on: as SetGlobalBuffer told, else as the launch
// knows, which is asked for where time does not matter.
uint64_t bytes_on(const Core& core, const opk_copy_v1& c) {
  const opk_operand& gm = c.op == OPK_C_PAD_IN ? c.src : c.dst;
  const LaunchRequest& request = core.launch->request();
  const bool told = gm.bytes < uint64_t{1} << 56;
  for (uint32_t i = 0; !told && core.observer && i < request.gm_count; ++i) {
    const auto from =
        static_cast<uint64_t>(static_cast<const uint8_t*>(gm.address) - request.gm[i].base);
    if (from < request.gm[i].named_bytes()) return request.gm[i].named_bytes() - from;
  }
  return gm.bytes;
}

// Tells whether a length in 16 bits is what is left of that of the whole tensor: it has more than
// 65535 bytes from here on, and would fit on the other side. A tile of a loop divides them.
bool has_wrapped(const Core& core, const opk_copy_v1& c) {
  constexpr uint64_t kRange = 65536;
  const uint64_t local = (c.op == OPK_C_PAD_IN ? c.dst : c.src).bytes;
  if (c.block_count != 1 || c.block_bytes == 0 || local < kRange) return false;
  const uint64_t gm = bytes_on(core, c);
  return gm >= kRange && gm <= local && gm % kRange == c.block_bytes && gm % c.block_bytes != 0;
}

void tell_of_wrap(Core& core, const opk_copy_v1& c, const void* pc) {
  tell(core, Excess::kShort, true, [&] {
    const uint64_t whole = bytes_on(core, c);
    Fault fault;
    fault.code = "EK1015";
    fault.message = std::string(copy_name(c.op)) + ": moves " + std::to_string(c.block_bytes) +
                    " of " + std::to_string(whole) + " bytes: blockLen of DataCopyParams has 16 " +
                    "bits, in which " + std::to_string(whole) + " is " +
                    std::to_string(c.block_bytes);
    fault.action = "use DataCopyExtParams, whose blockLen has 32 bits";
    fault.pc = pc;
    return fault;
  });
}

bool is_pad_copy(const opk_copy_v1& c) { return c.op == OPK_C_PAD_IN || c.op == OPK_C_PAD_OUT; }

bool is_known(Core& core, const opk_copy_v1& c, const void* pc) {
  if (c.op <= OPK_C_FILL) return true;
  Fault fault;
  fault.code = "EK1205";
  fault.message = "copy operation " + std::to_string(c.op) + " is unknown to this engine";
  fault.action = "rebuild the plugin with the headers of this opkit";
  fault.pc = pc;
  core.refuse(std::move(fault));
  return false;
}

[[gnu::noinline]] void copy_checked(Core& core, const opk_copy_v1& c, const void* pc) {
  if (!is_known(core, c, pc) || !arch_has_copy(core, c, copy_name(c.op), pc)) return;
  if (!check(core, c, extents_of(c), pc)) return;
  if (core.observer && !admit_copy(core, c, pc)) return;
  run_copy(core, c);
}

}  // namespace

void run_copy(Core& core, const opk_copy_v1& c) {
  if (c.src.memory == OPK_MEM_GM && core.sees_additions()) meet_additions(core, source_access(c));
  if (core.puts_off) {
    if (is_run(c)) return move_run(core, c);
    touch(core, c, extents_of(c));
    if (note_panels(core, c)) return;
  }
  apply(core, c);
}

void exec_copy(opk_core* base, const opk_copy_v1* c) {
  Core& core = Core::of(base);
  const void* pc = core.place(__builtin_return_address(0));
  if (is_empty(*c)) return tell_of_nothing(core, *c, pc);
  if (c->reserved != 0) [[unlikely]]
    tell_of_cut(core, *c, pc);
  if (is_pad_copy(*c) && (c->flags & kShortLength) && has_wrapped(core, *c)) [[unlikely]]
    tell_of_wrap(core, *c, pc);
  const bool quick = !core.observer && !core.lacks_calls && is_run(*c);
  if (quick && is_legal_run(core, *c)) return move_run(core, *c);
  copy_checked(core, *c, pc);
}

}  // namespace opkit::core
