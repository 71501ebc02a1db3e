#include "opkit/core/isa/copy_form.h"

#include <cstring>

namespace opkit::core {
namespace {

// Bytes from the first to behind the last byte of `count` runs.
uint64_t span_of(uint64_t count, int64_t pitch, uint64_t bytes) {
  return count == 0 || bytes == 0 ? 0 : static_cast<uint64_t>(pitch) * (count - 1) + bytes;
}

uint64_t panels_of(const opk_copy_v1& c) {
  const uint64_t c0 = kCopyBlock / element_bytes(c);
  return (c.columns + c0 - 1) / c0;
}

Extents matrix_extents(const opk_copy_v1& c) {
  const uint64_t size = element_bytes(c);
  const uint64_t nd =
      (c.matrix_count - 1) * c.nd_matrix_pitch * size +
      span_of(c.rows, static_cast<int64_t>(c.nd_row_pitch * size), c.columns * size);
  const uint64_t nz =
      (c.matrix_count - 1) * c.nz_matrix_pitch * size +
      (panels_of(c) - 1) * c.nz_column_pitch * kCopyBlock +
      span_of(c.rows, static_cast<int64_t>(c.nz_row_pitch * kCopyBlock), kCopyBlock);
  return c.op == OPK_C_ND2NZ ? Extents{nd, nz} : Extents{nz, nd};
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

// Returns the row-major and the fractal side of an ND <-> NZ change. Rows behind nValue are not
// touched; on the fractal side columns are rounded up to C0.
Sides matrix_sides(const opk_copy_v1& c, const opk_operand& nd, const opk_operand& nz, bool to_nz) {
  const uint64_t size = element_bytes(c);
  Access rows =
      runs(nd, c.rows, c.columns * size, static_cast<int64_t>(c.nd_row_pitch * size), !to_nz);
  rows.repeats = c.matrix_count;
  rows.repeat_pitch = static_cast<int64_t>(c.nd_matrix_pitch * size);
  Access fractals =
      runs(nz, c.rows, kCopyBlock, static_cast<int64_t>(c.nz_row_pitch * kCopyBlock), to_nz);
  fractals.repeats = static_cast<uint32_t>(panels_of(c));
  fractals.repeat_pitch = static_cast<int64_t>(c.nz_column_pitch * kCopyBlock);
  return to_nz ? Sides{rows, fractals} : Sides{fractals, rows};
}

Sides sides_of(const opk_copy_v1& c) {
  if (c.op == OPK_C_ND2NZ) return matrix_sides(c, c.src, c.dst, true);
  if (c.op == OPK_C_NZ2ND) return matrix_sides(c, c.dst, c.src, false);
  return {runs(c.src, c.block_count, c.block_bytes, c.src_pitch, false),
          runs(c.dst, c.block_count, written_block(c), c.dst_pitch, true)};
}

}  // namespace

const char* copy_name(uint16_t op) {
  static constexpr const char* kNames[] = {"DataCopy",        "DataCopyPad",     "DataCopyPad",
                                           "DataCopy(Nd2Nz)", "DataCopy(Nz2Nd)", "DataCopy(bias)",
                                           "InitConstValue"};
  return op <= OPK_C_FILL ? kNames[op] : "copy instruction";
}

uint64_t written_block(const opk_copy_v1& c) {
  if (c.op == OPK_C_PAD_IN)
    return whole_blocks(c.block_bytes + (c.pad_left + c.pad_right) * element_bytes(c));
  if (c.op == OPK_C_BIAS && c.src.dtype == OPK_FLOAT16 && c.dst.dtype == OPK_FLOAT32)
    return 2 * c.block_bytes;
  return c.block_bytes;
}

Extents extents_of(const opk_copy_v1& c) {
  if (is_matrix(c)) return matrix_extents(c);
  return {c.op == OPK_C_FILL ? 0 : span_of(c.block_count, c.src_pitch, c.block_bytes),
          span_of(c.block_count, c.dst_pitch, written_block(c))};
}

Access source_access(const opk_copy_v1& c) { return sides_of(c).src; }

void fill_elements(uint8_t* dst, uint64_t bytes, const void* value, uint64_t size) {
  for (uint64_t i = 0; i + size <= bytes; i += size) std::memcpy(dst + i, value, size);
}

bool admit_copy(Core& core, const opk_copy_v1& c, const void* pc) {
  const Sides sides = sides_of(c);
  Footprint footprint;
  footprint.name = copy_name(c.op);
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

}  // namespace opkit::core
