// What products and their stores make of unset bytes: a row of A without a value makes a row of C
// without one, a column of B a column.
#include <algorithm>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/cube/matmul_checks.h"
#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {
namespace {

constexpr uint64_t kRowOfC = 64;  // bytes of a panel's row of 16 elements

const uint8_t* bytes_of(const opk_operand& o) { return static_cast<const uint8_t*>(o.address); }

// Origins of the first unset bytes of lines that consist of pieces of 32 bytes, of which `used`
// bytes count together.
template <typename Piece>
uint32_t origin_of_line(Spread& s, uint64_t used, Piece piece) {
  for (uint64_t done = 0; done < used; done += 32) {
    const UnsetRun* run = s.read.find(piece(done / 32), std::min<uint64_t>(32, used - done));
    if (run) return s.origin_of(*run);
  }
  return 0;
}

uint64_t line_bytes(uint64_t elements, uint32_t dtype) {
  return (elements * dtype_bits(dtype) + 7) / 8;
}

uint32_t row_of_a(Spread& s, const opk_mmad_v1& x, const MmadExtent& e, uint64_t i) {
  const uint8_t* a = bytes_of(x.a);
  const uint64_t used = line_bytes(x.k, x.a.dtype);
  if (x.m == 1 && !is_sparse(x))
    return origin_of_line(s, used, [&](uint64_t unit) { return a + unit * 32; });
  const uint8_t* row = a + i / kSide * e.k_fractals * kFractal + i % kSide * 32;
  return origin_of_line(s, used, [&](uint64_t unit) { return row + unit * kFractal; });
}

uint32_t column_of_b(Spread& s, const opk_mmad_v1& x, const MmadExtent& e, uint64_t j) {
  const uint8_t* column = bytes_of(x.b) + j * 32;
  const uint64_t used = line_bytes(is_sparse(x) ? x.k / 2 : x.k, x.b.dtype);
  const uint32_t origin =
      origin_of_line(s, used, [&](uint64_t unit) { return column + unit * e.n16 * kFractal; });
  if (origin || x.init != 2) return origin;
  const UnsetRun* bias = s.read.find(bytes_of(x.bias) + 4 * j, 4);
  return bias ? s.origin_of(*bias) : 0;
}

UnsetRun of(uint32_t origin) {
  UnsetRun run;
  run.origin = origin;
  return run;
}

// element(i, j): where the block's element begins.
template <typename Element>
void make_block(Spread& s, const UnsetBlock& block, uint64_t m, uint64_t n, uint64_t bytes,
                Element element) {
  for (uint64_t i = 0; i < m; ++i) {
    for (uint64_t j = 0; j < n; ++j) {
      const uint32_t origin = block.rows[i] ? block.rows[i] : block.columns[j];
      if (origin) s.make(element(i, j), bytes, of(origin));
    }
  }
}

bool any(const UnsetBlock& block) {
  const auto is_set = [](uint32_t origin) { return origin != 0; };
  return std::any_of(block.rows.begin(), block.rows.end(), is_set) ||
         std::any_of(block.columns.begin(), block.columns.end(), is_set);
}

// Old values that the product is added to.
void keep_old(Spread& s, const opk_mmad_v1& x, const MmadExtent& e) {
  s.read.for_each(bytes_of(x.c), e.c, [&](const UnsetRun& run, const uint8_t* begin, uint64_t n) {
    s.make(begin, n, run);
  });
}

// --- the Matmul object ---------------------------------------------------------------------------

// Returns the first unset bytes of a stored row's elements [col, col + count).
uint32_t origin_of_stored(Spread& s, const opk_matrix& m, uint64_t row, uint64_t col,
                          uint64_t count) {
  const uint64_t c0 = c0_of(m);
  while (count > 0) {
    const uint64_t part = m.nz ? std::min(count, c0 - col % c0) : count;
    const uint64_t at = offset_of(m, row, col), bits = dtype_bits(m.data.dtype);
    const uint64_t begin = at * bits / 8;
    const UnsetRun* run = s.read.find(bytes_of(m.data) + begin, matrix_bytes(m, at + part) - begin);
    if (run) return s.origin_of(*run);
    col += part;
    count -= part;
  }
  return 0;
}

// Line i of the operand, `length` elements along K: by_row: a row of it, else a column.
uint32_t line_of(Spread& s, const opk_matrix& m, bool by_row, uint64_t i, uint64_t length) {
  if (by_row != static_cast<bool>(m.transposed)) {  // the line is a stored row
    const uint64_t row = (by_row ? m.row0 : m.col0) + i, col = by_row ? m.col0 : m.row0;
    return origin_of_stored(s, m, row, col, length);
  }
  const uint64_t col = (by_row ? m.row0 : m.col0) + i, row0 = by_row ? m.col0 : m.row0;
  for (uint64_t k = 0; k < length; ++k) {
    if (const uint32_t origin = origin_of_stored(s, m, row0 + k, col, 1)) return origin;
  }
  return 0;
}

void join(std::vector<uint32_t>& into, size_t i, uint32_t origin) {
  if (origin && !into[i]) into[i] = origin;
}

void compute_block(Spread& s, const MatmulCall& x) {
  UnsetBlock& block = s.core.unset_blocks[x.owner];
  if (!x.accumulate) block = {};
  block.rows.resize(x.m);
  block.columns.resize(x.n);
  const uint64_t depth = depth_of_b(x);
  for (uint32_t i = 0; i < x.m && !moves(x, kOwnA); ++i)
    join(block.rows, i, line_of(s, x.a, true, i, x.k));
  for (uint32_t j = 0; j < x.n && !moves(x, kOwnB); ++j)
    join(block.columns, j, line_of(s, x.b, false, j, depth));
  if (!x.bias.address || x.accumulate) return;
  const uint64_t size = dtype_bytes(x.bias.dtype);
  for (uint32_t j = 0; j < x.n; ++j) {
    const UnsetRun* run = s.read.find(bytes_of(x.bias) + j * size, size);
    if (run) join(block.columns, j, s.origin_of(*run));
  }
}

void store_block(Spread& s, const MatmulCall& x) {
  const auto found = s.core.unset_blocks.find(x.owner);
  if (found == s.core.unset_blocks.end() || !any(found->second) || moves(x, kOwnC)) return;
  if (found->second.rows.size() != x.m || found->second.columns.size() != x.n) return;
  const uint64_t size = dtype_bytes(x.c.dtype), width = size == 1 ? 32 : 16;
  const uint64_t pitch = x.c_pitch * (x.to_nd ? size : width * size);
  make_block(s, found->second, x.m, x.n, size, [&](uint64_t i, uint64_t j) {
    return bytes_of(x.c) +
           (x.to_nd ? i * pitch + j * size : j / width * pitch + (i * width + j % width) * size);
  });
}

}  // namespace

void spread_mmad(Spread& s) {
  const auto& x = *static_cast<const opk_mmad_v1*>(s.f.instruction);
  const MmadExtent e = extent_of(x);
  UnsetBlock block;
  for (uint64_t i = 0; i < x.m; ++i) block.rows.push_back(row_of_a(s, x, e, i));
  for (uint64_t j = 0; j < x.n; ++j) block.columns.push_back(column_of_b(s, x, e, j));
  if (x.init == 1) keep_old(s, x, e);
  if (!any(block)) return;
  const uint64_t panel = uint64_t{e.m16} * kSide * kRowOfC;
  make_block(s, block, x.m, x.n, 4, [&](uint64_t i, uint64_t j) {
    return bytes_of(x.c) + j / kSide * panel + i * kRowOfC + j % kSide * 4;
  });
}

void spread_fixpipe(Spread& s) {
  const auto& x = *static_cast<const opk_fixpipe_v1*>(s.f.instruction);
  const uint64_t size = dtype_bytes(x.dst.dtype);
  if (size == 0) return spread_whole(s);
  const uint64_t width = x.channel_split ? 8 : size == 1 ? 32 : 16;
  const uint64_t pitch = uint64_t{x.dst_stride} * (x.to_nd ? size : 32);
  const uint32_t matrices = x.to_nd ? std::max<uint32_t>(x.nd_count, 1) : 1;
  const uint8_t *src = bytes_of(x.src), *dst = bytes_of(x.dst);
  for (uint32_t nd = 0; nd < matrices; ++nd) {
    for (uint64_t j = 0; j < x.n; ++j) {
      const UnsetRun* word =
          x.quant_vector.address ? s.read.find(bytes_of(x.quant_vector) + 8 * j, 8) : nullptr;
      const uint8_t* column = src + j / kSide * x.src_stride * kRowOfC + j % kSide * 4;
      for (uint64_t i = 0; i < x.m; ++i) {
        const UnsetRun* run = word ? word : s.read.find(column + i * kRowOfC, 4);
        const uint64_t to =
            x.to_nd ? i * pitch + j * size : j / width * pitch + (i * width + j % width) * size;
        if (run) s.make(dst + to, size, *run);
      }
    }
    src += uint64_t{x.src_nd_stride} * 1024;
    dst += uint64_t{x.dst_nd_stride} * size;
  }
}

void spread_matmul(Spread& s) {
  if (static_cast<const opk_matmul_v1*>(s.f.instruction)->m == 0) return;
  const auto& x = *static_cast<const MatmulCall*>(s.f.instruction);
  if (x.compute) compute_block(s, x);
  if (x.store) store_block(s, x);
}

}  // namespace opkit::core::checked
