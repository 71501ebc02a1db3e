// Rows that only move bits: Duplicate and Copy.
#include <algorithm>
#include <cstring>

#include "opkit/core/rows/rows.h"

namespace opkit::core {
namespace {

template <typename T>
void duplicate_row(void* dst, const void*, const void*, const RowContext& context, size_t n) {
  std::fill_n(static_cast<T*>(dst), n, static_cast<T>(context.scalar[0]));
}

template <typename T>
void copy_row(void* dst, const void* src, const void*, const RowContext&, size_t n) {
  std::memmove(dst, src, n * sizeof(T));
}

bool is_16_bit(uint32_t dtype) {
  return dtype == OPK_FLOAT16 || dtype == OPK_BFLOAT16 || dtype == OPK_INT16 || dtype == OPK_UINT16;
}
bool is_32_bit(uint32_t dtype) {
  return dtype == OPK_FLOAT32 || dtype == OPK_INT32 || dtype == OPK_UINT32;
}

}  // namespace

Row find_move_row(uint32_t op, uint32_t dst, uint32_t src) {
  Row row;
  if (dst != src || !(is_16_bit(dst) || is_32_bit(dst))) return row;
  const bool narrow = is_16_bit(dst);
  if (op == OPK_V_DUPLICATE) row.fn = narrow ? duplicate_row<uint16_t> : duplicate_row<uint32_t>;
  if (op == OPK_V_COPY) row.fn = narrow ? copy_row<uint16_t> : copy_row<uint32_t>;
  row.sources = op == OPK_V_COPY ? 1 : 0;
  return row;
}

}  // namespace opkit::core
