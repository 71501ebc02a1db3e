// Rows of two steps in one: AddReluCast, SubReluCast, MulCast, AddDeqRelu. The result is that of
// the two calls one after the other (pages of those names); the pages name no other precision of
// the value in between. It lies in a piece of stack.
#include <algorithm>
#include <cstring>
#include <limits>

#include "opkit/core/rows/cast_modes.h"
#include "opkit/core/rows/rows.h"

namespace opkit::core {
namespace {

constexpr size_t kPiece = 512;  // elements

template <typename T>
T narrowed(int16_t value, bool wrap) {
  if (wrap) return static_cast<T>(value);
  return static_cast<T>(
      std::clamp<int>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// The only conversion that Cast itself does not have.
void int16_to_int8(void* dst, const void* src, const void*, const RowContext& c, size_t n) {
  auto* out = static_cast<int8_t*>(dst);
  auto* in = static_cast<const int16_t*>(src);
  for (size_t i = 0; i < n; ++i) out[i] = narrowed<int8_t>(in[i], c.wrap_integers);
}

template <uint32_t kTo, uint32_t kFrom>
RowFn conversion() {
  if (kTo == OPK_INT8 && kFrom == OPK_INT16) return int16_to_int8;
  return find_cast_row(OPK_V_CAST, kTo, kFrom).fn;
}

template <uint32_t kOp, uint32_t kType>
RowFn arithmetic() {
  const Row row = find_arith_row(kOp, kType, kType);
  return row.fn ? row.fn : find_integer_row(kOp, kType, kType).fn;
}

RowContext rounding_to_nearest(const RowContext& c) {
  RowContext rint = c;
  rint.mode = kCastRint;
  return rint;
}

// dst = Cast(kOp(a, b)).
template <uint32_t kOp, uint32_t kTo, uint32_t kFrom, typename From, typename To>
void cast_row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
  static const RowFn first = arithmetic<kOp, kFrom>();
  static const RowFn second = conversion<kTo, kFrom>();
  const RowContext rint = rounding_to_nearest(c);
  alignas(64) From between[kPiece];
  for (size_t i = 0; i < n; i += kPiece) {
    const size_t part = std::min(kPiece, n - i);
    first(between, static_cast<const From*>(a) + i, static_cast<const From*>(b) + i, c, part);
    if (c.saturate_halves) saturate_row(kFrom, between, part);
    second(static_cast<To*>(dst) + i, between, between, rint, part);
  }
}

// dst = Relu(half((a + b) * scale)).
void deq_relu_row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
  static const RowFn add = find_integer_row(OPK_V_ADD, OPK_INT32, OPK_INT32).fn;
  static const RowFn cast = find_cast_row(OPK_V_CAST, OPK_FLOAT16, OPK_INT32).fn;
  static const RowFn relu = find_arith_row(OPK_V_RELU, OPK_FLOAT16, OPK_FLOAT16).fn;
  const RowContext rint = rounding_to_nearest(c);
  alignas(64) int32_t sums[kPiece];
  for (size_t i = 0; i < n; i += kPiece) {
    const size_t part = std::min(kPiece, n - i);
    uint16_t* out = static_cast<uint16_t*>(dst) + i;
    add(sums, static_cast<const int32_t*>(a) + i, static_cast<const int32_t*>(b) + i, c, part);
    cast(out, sums, sums, rint, part);
    relu(out, out, out, c, part);
  }
}

Row joined(RowFn fn, bool saturates) {
  Row row;
  row.fn = fn;
  row.sources = 2;
  row.saturates = saturates;
  return row;
}

template <uint32_t kOp>
Row find_relu_cast(uint32_t dst, uint32_t src) {
  if (dst == OPK_FLOAT16 && src == OPK_FLOAT32)
    return joined(cast_row<kOp, OPK_FLOAT16, OPK_FLOAT32, float, uint16_t>, true);
  if (dst == OPK_INT8 && src == OPK_FLOAT16)
    return joined(cast_row<kOp, OPK_INT8, OPK_FLOAT16, uint16_t, int8_t>, false);
  if (dst == OPK_INT8 && src == OPK_INT16)
    return joined(cast_row<kOp, OPK_INT8, OPK_INT16, int16_t, int8_t>, false);
  return {};
}

Row find_mul_cast(uint32_t dst, uint32_t src) {
  if (src != OPK_FLOAT16) return {};
  if (dst == OPK_INT8)
    return joined(cast_row<OPK_V_MUL, OPK_INT8, OPK_FLOAT16, uint16_t, int8_t>, false);
  if (dst == OPK_UINT8)
    return joined(cast_row<OPK_V_MUL, OPK_UINT8, OPK_FLOAT16, uint16_t, uint8_t>, false);
  return {};
}

}  // namespace

Row find_joined_row(uint32_t op, uint32_t dst, uint32_t src) {
  switch (op) {
    case OPK_V_ADD_RELU_CAST: return find_relu_cast<OPK_V_ADD_RELU>(dst, src);
    case OPK_V_SUB_RELU_CAST: return find_relu_cast<OPK_V_SUB_RELU>(dst, src);
    case OPK_V_MUL_CAST: return find_mul_cast(dst, src);
    case OPK_V_ADD_DEQ_RELU:
      return dst == OPK_FLOAT16 && src == OPK_INT32 ? joined(deq_relu_row, true) : Row{};
    default: return {};
  }
}

}  // namespace opkit::core
