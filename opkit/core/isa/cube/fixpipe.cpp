// Fixpipe: blocks of C from L0C to GM or L1. Semantics: the vendor's pages
// "Fixpipe（L0C到GM数据搬运）", "Fixpipe（L0C到L1数据搬运）", "SetFixpipeNz2ndFlag".
#include <algorithm>
#include <string>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/cube/store_c.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/isa/unchecked.h"

namespace opkit::core {
namespace {

constexpr uint32_t kMaxNdRows = 8192;
constexpr uint64_t kKeepInfNan = uint64_t{1} << 48;
constexpr uint64_t kFractalOfC = 1024;  // bytes

uint32_t matrices(const opk_fixpipe_v1& f) { return f.to_nd ? f.nd_count : 1; }

// Returns what the unit does: on the way to L1 there are neither rows nor a split of channels.
opk_fixpipe_v1 effective(opk_fixpipe_v1 f) {
  if (f.dst.memory == OPK_MEM_L1) f.to_nd = f.channel_split = 0;
  return f;
}

BlockOfC block_of(const Core& core, const opk_fixpipe_v1& f) {
  BlockOfC b;
  b.panels = static_cast<const uint8_t*>(f.src.address);
  b.panel_pitch = uint64_t{f.src_stride} * 64;
  b.m = f.m;
  b.n = f.n;
  b.conversion.quant = f.quant;
  b.conversion.relu = f.relu;
  b.conversion.integers = f.src.dtype == OPK_INT32;
  b.conversion.saturate = !(core.ctrl & kKeepInfNan);
  b.conversion.word = f.quant_word;
  b.conversion.words = static_cast<const uint8_t*>(f.quant_vector.address);
  b.to_nd = f.to_nd;
  b.channel_split = f.channel_split;
  b.element = dtype_bytes(f.dst.dtype);
  b.dst_pitch = f.to_nd ? uint64_t{f.dst_stride} * b.element : uint64_t{f.dst_stride} * 32;
  return b;
}

bool refuse(Core& core, const char* code, std::string text, const char* action, const void* pc) {
  return refuse_cube(core, code, "Fixpipe: " + std::move(text), action, pc);
}

bool check_types(Core& core, const opk_fixpipe_v1& f, const void* pc) {
  if (f.src.memory != OPK_MEM_L0C || (f.dst.memory != OPK_MEM_GM && f.dst.memory != OPK_MEM_L1)) {
    return refuse(core, "EK1703",
                  std::string("there is no way from ") + memory_name(f.src.memory) + " to " +
                      memory_name(f.dst.memory),
                  "move a block of L0C to GM or L1", pc);
  }
  if (!quant_fits(f.quant, f.dst.dtype, f.src.dtype)) {
    return refuse(core, "EK1708",
                  std::string("quantPre ") + std::to_string(f.quant) + " does not make " +
                      dtype_name(f.dst.dtype) + " out of " + dtype_name(f.src.dtype),
                  "choose the QuantMode_t that connects the two types", pc);
  }
  if (f.dst.memory == OPK_MEM_L1 && f.quant == OPK_Q_NONE) {
    return refuse(core, "EK1708", "there is no way to L1 without quantPre",
                  "store half, bfloat16_t or 8 bits there, or go to GM", pc);
  }
  return true;
}

bool check_shape(Core& core, const opk_fixpipe_v1& f, const void* pc) {
  if (f.channel_split && (f.to_nd || f.dst.dtype != OPK_FLOAT32))
    return refuse(core, "EK1709", "isChannelSplit exists for float in NZ output only",
                  "use CFG_NZ with float, or clear isChannelSplit", pc);
  if (f.channel_split && f.unit_flag)
    return refuse(core, "EK1709", "isChannelSplit does not go with unitFlag", "clear one of them",
                  pc);
  if (f.to_nd && f.m > kMaxNdRows)
    return refuse(core, "EK1709", "mSize " + std::to_string(f.m) + " is above 8192",
                  "store fewer rows at a time", pc);
  const uint32_t unit = f.channel_split ? 8 : 16;
  if (!f.to_nd && f.n % unit != 0) {
    return refuse(core, "EK1709",
                  "nSize " + std::to_string(f.n) + " is not a multiple of " + std::to_string(unit) +
                      " in NZ output",
                  "round nSize up", pc);
  }
  if (f.n > 16 && f.src_stride < f.m) {
    return refuse(core, "EK1709",
                  "srcStride " + std::to_string(f.src_stride) + " is below mSize " +
                      std::to_string(f.m) + ", so that panels overlap",
                  "pass mSize rounded up to 16", pc);
  }
  return true;
}

// "The destination must not overlap."
bool check_destination(Core& core, const opk_fixpipe_v1& f, const BlockOfC& b, const void* pc) {
  const uint64_t parts = f.to_nd ? f.m : (f.n + nz_columns(b) - 1) / nz_columns(b);
  const uint64_t needed = f.to_nd ? f.n : (uint64_t{f.m} * nz_row_bytes(b) + 31) / 32;
  if (parts < 2 || f.dst_stride >= needed) return true;
  return refuse(core, "EK1709",
                "dstStride " + std::to_string(f.dst_stride) + " is below " +
                    std::to_string(needed) + ", so that " + (f.to_nd ? "rows" : "panels") +
                    " of the destination overlap",
                f.to_nd ? "pass the elements of a row" : "pass the 32-byte blocks of a panel", pc);
}

bool check_vector(Core& core, const opk_fixpipe_v1& f, const void* pc) {
  if (!is_vector_quant(f.quant)) return true;
  if (!f.quant_vector.address) {
    return refuse(core, "EK1708", "this quantPre needs a tensor of one word per column",
                  "pass the tensor, or call SetFixPipeConfig before", pc);
  }
  if (f.quant_vector.memory != OPK_MEM_L1 && f.quant_vector.memory != OPK_MEM_FB) {
    return refuse(core, "EK1703",
                  std::string("the words per column lie in ") + memory_name(f.quant_vector.memory),
                  "keep them in L1 or the fixpipe buffer", pc);
  }
  return check_operand(core, f.quant_vector, uint64_t{f.n} * 8,
                       f.quant_vector.memory == OPK_MEM_FB ? 64 : 32, false,
                       {"Fixpipe", "quantisation tensor", pc});
}

// Returns the bytes from the first to behind the last byte of the destination.
uint64_t extent_of(const opk_fixpipe_v1& f, const BlockOfC& b) {
  return uint64_t{matrices(f) - 1} * f.dst_nd_stride * b.element + dst_extent(b);
}

bool check(Core& core, const opk_fixpipe_v1& f, const BlockOfC& b, const void* pc) {
  if (!check_types(core, f, pc) || !check_shape(core, f, pc) || !check_vector(core, f, pc) ||
      !check_destination(core, f, b, pc))
    return false;
  const uint64_t more = matrices(f) - 1;
  const uint64_t src =
      more * f.src_nd_stride * kFractalOfC + (f.n - 1) / 16 * b.panel_pitch + uint64_t{f.m} * 64;
  const uint64_t dst = extent_of(f, b);
  return check_atomic(core, f.dst, "Fixpipe", pc) &&
         check_operand(core, f.src, src, 64, false, {"Fixpipe", "source", pc}) &&
         check_operand(core, f.dst, dst, 32, true, {"Fixpipe", "destination", pc});
}

bool admit(Core& core, const opk_fixpipe_v1& f, const BlockOfC& b, const void* pc) {
  Footprint print;
  print.name = "Fixpipe";
  print.kind = InstructionKind::kFixpipe;
  print.pipe = OPK_PIPE_FIX;
  print.instruction = &f;
  print.pc = pc;
  Access src;
  src.memory = OPK_MEM_L0C;
  src.address = b.panels;
  src.block_bytes = f.m * 64;
  src.blocks = (f.n + 15) / 16;
  src.block_pitch = static_cast<int64_t>(b.panel_pitch);
  src.repeats = matrices(f);
  src.repeat_pitch = static_cast<int64_t>(f.src_nd_stride * kFractalOfC);
  src.dtype = f.src.dtype;
  src.buffer = f.src.buffer;
  print.add(src);
  if (is_vector_quant(f.quant)) {
    Access words;
    words.memory = static_cast<opk_memory>(f.quant_vector.memory);
    words.address = b.conversion.words;
    words.block_bytes = f.n * 8;
    words.dtype = OPK_UINT64;
    words.buffer = f.quant_vector.buffer;
    print.add(words);
  }
  Access dst = dst_access(b, f.dst);
  dst.repeats = matrices(f);
  dst.repeat_pitch = static_cast<int64_t>(uint64_t{f.dst_nd_stride} * b.element);
  print.add(dst);
  return core.observer->admit(core, print);
}

void apply(Core& core, const opk_fixpipe_v1& f, BlockOfC b) {
  const bool to_gm = f.dst.memory == OPK_MEM_GM;
  auto* dst = static_cast<uint8_t*>(f.dst.address);
  if (is_vector_quant(f.quant))
    core.put_off.about_to_read(f.quant_vector.memory, b.conversion.words, uint64_t{f.n} * 8);
  core.put_off.about_to_write(f.dst.memory, dst, extent_of(f, b), false);
  for (uint32_t i = 0; i < matrices(f); ++i) {
    store_block(core, b, dst, to_gm);
    b.panels += f.src_nd_stride * kFractalOfC;
    dst += uint64_t{f.dst_nd_stride} * b.element;
  }
}

}  // namespace

void exec_fixpipe(opk_core* base, const opk_fixpipe_v1* told) {
  const opk_fixpipe_v1 f = effective(*told);
  if (f.m == 0 || f.n == 0 || matrices(f) == 0) return;
  Core& core = Core::of(base);
  const void* pc = core.place(__builtin_return_address(0));
  if (!arch_has(core, OPK_A_FIXPIPE, "Fixpipe", pc)) return;
  const BlockOfC block = block_of(core, f);
  if (!check(core, f, block, pc)) return;
  if (core.observer && !admit(core, f, block, pc)) return;
  apply(core, f, block);
}

void run_fixpipe(Core& core, const opk_fixpipe_v1& f) { apply(core, f, block_of(core, f)); }

}  // namespace opkit::core
