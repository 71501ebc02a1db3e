#include "opkit/core/rows/rows.h"

#include <vector>

namespace opkit::core {
namespace {

constexpr uint8_t kTypeOfIndex[kDTypes] = {
    OPK_FLOAT32, OPK_FLOAT16, OPK_INT8,   OPK_INT32, OPK_UINT8,    OPK_INT16, OPK_UINT16,
    OPK_UINT32,  OPK_INT64,   OPK_UINT64, OPK_BOOL,  OPK_BFLOAT16, OPK_INT4};

Row search(uint32_t op, uint32_t dst, uint32_t src) {
  for (auto find : {find_arith_row, find_integer_row, find_math_row, find_special_row,
                    find_cast_row, find_move_row, find_joined_row}) {
    const Row row = find(op, dst, src);
    if (row.fn) return row;
  }
  return {};
}

// Bits of a 16-bit float whose exponent field is `infinity`.
void saturate_bits(uint16_t* row, size_t n, uint16_t infinity) {
  for (size_t i = 0; i < n; ++i) {
    const uint16_t magnitude = row[i] & 0x7fff;
    const uint16_t finite = magnitude == infinity ? static_cast<uint16_t>(row[i] - 1) : row[i];
    row[i] = magnitude > infinity ? 0 : finite;
  }
}

}  // namespace

std::vector<Row> all_rows() {
  std::vector<Row> rows(size_t{OPK_V_COUNT_} * kDTypes * kDTypes);
  for (uint32_t op = 0; op < OPK_V_COUNT_; ++op) {
    for (uint32_t dst = 0; dst < kDTypes; ++dst) {
      for (uint32_t src = 0; src < kDTypes; ++src) {
        rows[(op * kDTypes + dst) * kDTypes + src] =
            search(op, kTypeOfIndex[dst], kTypeOfIndex[src]);
      }
    }
  }
  return rows;
}

void saturate_row(uint32_t dtype, void* row, size_t n) {
  if (dtype == OPK_FLOAT16) saturate_bits(static_cast<uint16_t*>(row), n, 0x7c00);
  if (dtype == OPK_BFLOAT16) saturate_bits(static_cast<uint16_t*>(row), n, 0x7f80);
}

}  // namespace opkit::core
