// Semantics: the vendor's pages "4:2稀疏矩阵乘", "SetSparseIndex", "MmadWithSparse"; the data of
// the example matmul_sparse for where the index lies: FRACTAL_NZ with fractals of 16 columns of B
// by 8 bytes, four values of two bits in a byte, the first in the low bits.
#include "opkit/core/isa/cube/sparse_matrix.h"

#include <algorithm>
#include <string>

#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kRowBytes = 8, kRowValues = 32;  // measure a row of a panel of the index
constexpr uint32_t kUnitOfK = 8;                    // values of K that a byte of the index covers

uint32_t panels_of(const MatmulCall& x) { return (x.k / 2 + kRowValues - 1) / kRowValues; }
uint64_t index_offset(const MatmulCall& x, uint32_t panel) {
  return (panel * x.index.pitch + x.index.col0) * kRowBytes;
}

// Returns the bytes of the index for column n of the block, in the panel of the value `kept`.
const uint8_t* index_column(const MatmulCall& x, uint32_t n, uint32_t kept) {
  return static_cast<const uint8_t*>(x.index.data.address) + index_offset(x, kept / kRowValues) +
         n * kRowBytes;
}

// The places of the two values at `kept` and `kept` + 1 of a column, of four each.
struct KeptColumns {
  uint32_t first, second;
};
KeptColumns pair_of(const uint8_t* column, uint32_t kept) {
  const uint32_t bits = column[kept % kRowValues / 4] >> (kept % 4 * 2);
  const uint32_t one = bits & 3, two = bits >> 2 & 3;
  return {one, std::max(one, two + 1)};
}

}  // namespace

bool check_index(Core& core, const MatmulCall& x, const void* pc) {
  if (x.b.data.dtype != OPK_INT8 || !x.b.transposed) {
    return refuse_matmul(core, "a sparse B is of int8_t and transposed", "see SparseMatmulType",
                         pc);
  }
  if (x.k % kUnitOfK != 0 || x.b.row0 != 0) {
    return refuse_matmul(core,
                         "K is " + std::to_string(x.k) +
                             ", but a byte of the index of a sparse B covers 8 values along K",
                         "pad K to a multiple of 8", pc);
  }
  if (x.index.col0 + uint64_t{x.n} > x.index.pitch) {
    return refuse_matmul(core, "the index of the sparse B has fewer columns than the product",
                         "check SetOrgShape, SetSingleShape, SetTail and the tiling", pc);
  }
  const uint64_t last = std::min(kRowValues, x.k / 2 - (panels_of(x) - 1) * kRowValues) / 4;
  return check_operand(core, x.index.data,
                       index_offset(x, panels_of(x) - 1) + (x.n - 1) * kRowBytes + last, 1, false,
                       {"Matmul", "index of the sparse B", pc});
}

Access index_access(const MatmulCall& x) {
  Access access;
  access.memory = static_cast<opk_memory>(x.index.data.memory);
  access.address = static_cast<const uint8_t*>(x.index.data.address) + index_offset(x, 0);
  access.block_bytes = x.n * kRowBytes;
  access.blocks = panels_of(x);
  access.block_pitch = static_cast<int64_t>(x.index.pitch * kRowBytes);
  access.dtype = x.index.data.dtype;
  access.buffer = x.index.data.buffer;
  return access;
}

opk_matrix DenseB::matrix(std::vector<int8_t>& of) const {
  opk_matrix m{};
  m.data.address = of.data();
  m.data.bytes = of.size();
  m.data.memory = OPK_MEM_L1;
  m.data.dtype = OPK_INT8;
  m.pitch = k;
  m.transposed = 1;
  return m;
}

bool check_indices(Core& core, const MatmulCall& x, const void* pc) {
  for (uint32_t n = 0; n < x.n; ++n) {
    for (uint32_t k = 0; k < x.k / 2; k += 2) {
      const KeptColumns pair = pair_of(index_column(x, n, k), k);
      if (pair.first <= 2 && pair.second <= 3) continue;
      return refuse_cube(core, "EK1720",
                         "Matmul: an index of column " + std::to_string(x.index.col0 + n) +
                             " of the sparse B is 3; indices are 0, 1 and 2",
                         "make the index as the page of MmadWithSparse says", pc);
    }
  }
  return true;
}

DenseB spread(const MatmulCall& x) {
  DenseB b;
  b.k = x.k;
  b.values.assign(size_t{x.n} * x.k, 0);
  const auto* const kept = static_cast<const int8_t*>(x.b.data.address);
  for (uint32_t n = 0; n < x.n; ++n) {
    int8_t* const row = &b.values[size_t{n} * x.k];
    for (uint32_t k = 0; k < x.k / 2; k += 2) {
      const KeptColumns pair = pair_of(index_column(x, n, k), k);
      const int8_t* const values = kept + offset_of(x.b, x.b.col0 + n, k);
      row[2 * k + pair.first] = values[0];
      if (pair.second != pair.first) {
        row[2 * k + pair.second] = values[1];
        continue;
      }
      if (b.more.empty()) b.more.assign(b.values.size(), 0);
      b.more[size_t{n} * x.k + 2 * k + pair.second] = values[1];
    }
  }
  return b;
}

}  // namespace opkit::core
