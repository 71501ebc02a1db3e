// Casts that SIMD float lanes cannot carry: 64-bit and 4-bit integers, int32 -> float in a given
// direction, and integers that keep their low bits. One loop per pair of types.
#include <cmath>
#include <cstring>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/core/rows/cast_modes.h"

namespace opkit::core {
namespace {

// long double has 64 bits of mantissa on this platform and holds every source exactly.
static_assert(std::numeric_limits<long double>::digits >= 64);
using Number = long double;

Number whole(Number x, uint8_t mode) {
  switch (mode) {
    case kCastFloor: return std::floor(x);
    case kCastCeil: return std::ceil(x);
    case kCastRound: return std::round(x);
    case kCastTrunc: return std::trunc(x);
    default: return std::nearbyint(x);
  }
}

template <typename T>
T to_integer(Number x, const RowContext& c) {
  if (x != x) return 0;
  const Number rounded = whole(x, c.mode);
  const Number low = static_cast<Number>(std::numeric_limits<T>::min());
  const Number high = static_cast<Number>(std::numeric_limits<T>::max());
  if (!c.wrap_integers || std::fabs(rounded) >= 0x1p63L)
    return rounded <= low    ? std::numeric_limits<T>::min()
           : rounded >= high ? std::numeric_limits<T>::max()
                             : static_cast<T>(rounded);
  return static_cast<T>(static_cast<int64_t>(rounded));
}

bool away_from_zero(Number x, float nearest, float toward_zero, uint8_t mode) {
  switch (mode) {
    case kCastFloor: return x < 0;
    case kCastCeil: return x > 0;
    case kCastTrunc: return false;
    case kCastRound: {
      const float outer = std::nextafter(toward_zero, x < 0 ? -INFINITY : INFINITY);
      return std::fabs(x - toward_zero) >= std::fabs(outer - x);
    }
    default: return nearest != toward_zero;
  }
}

float to_float(Number x, uint8_t mode) {
  const auto nearest = static_cast<float>(x);
  if (static_cast<Number>(nearest) == x) return nearest;
  const float inner = std::fabs(static_cast<Number>(nearest)) > std::fabs(x)
                          ? std::nextafter(nearest, 0.0f)
                          : nearest;
  if (!away_from_zero(x, nearest, inner, mode)) return inner;
  return std::nextafter(inner, x < 0 ? -INFINITY : INFINITY);
}

template <typename T>
T load(const void* p, size_t i) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(p) + i * sizeof(T), sizeof(T));
  return value;
}
template <typename T>
void store(void* p, size_t i, T value) {
  std::memcpy(static_cast<uint8_t*>(p) + i * sizeof(T), &value, sizeof(T));
}

int load_nibble(const void* p, size_t i) {
  const uint8_t byte = static_cast<const uint8_t*>(p)[i / 2];
  return static_cast<int8_t>(static_cast<uint8_t>(i % 2 ? byte & 0xf0 : byte << 4)) >> 4;
}
void store_nibble(void* p, size_t i, int value) {
  uint8_t& byte = static_cast<uint8_t*>(p)[i / 2];
  const auto bits = static_cast<uint8_t>(value & 15);
  byte = static_cast<uint8_t>(i % 2 ? (byte & 0x0f) | (bits << 4) : (byte & 0xf0) | bits);
}

Number load_number(uint32_t dtype, const void* p, size_t i) {
  switch (dtype) {
    case OPK_FLOAT32: return load<float>(p, i);
    case OPK_FLOAT16: return static_cast<float>(load<Half>(p, i));
    case OPK_BFLOAT16: return static_cast<float>(load<BFloat16>(p, i));
    case OPK_INT8: return load<int8_t>(p, i);
    case OPK_UINT8: return load<uint8_t>(p, i);
    case OPK_INT16: return load<int16_t>(p, i);
    case OPK_INT32: return load<int32_t>(p, i);
    case OPK_INT64: return static_cast<Number>(load<int64_t>(p, i));
    default: return load_nibble(p, i);
  }
}

int to_nibble(Number x, const RowContext& c) {
  const auto byte = to_integer<int8_t>(x, c);
  return c.wrap_integers ? byte : byte < -8 ? -8 : byte > 7 ? 7 : byte;
}

void store_number(uint32_t dtype, void* p, size_t i, Number x, const RowContext& c) {
  switch (dtype) {
    case OPK_FLOAT32: return store(p, i, to_float(x, c.mode));
    case OPK_FLOAT16: return store(p, i, Half(static_cast<float>(x)));
    case OPK_INT8: return store(p, i, to_integer<int8_t>(x, c));
    case OPK_UINT8: return store(p, i, to_integer<uint8_t>(x, c));
    case OPK_INT16: return store(p, i, to_integer<int16_t>(x, c));
    case OPK_INT32: return store(p, i, to_integer<int32_t>(x, c));
    case OPK_INT64: return store(p, i, to_integer<int64_t>(x, c));
    default: return store_nibble(p, i, to_nibble(x, c));
  }
}

template <uint32_t kTo, uint32_t kFrom>
void number_row(void* dst, const void* a, const void*, const RowContext& c, size_t n) {
  plain_cast(kTo, kFrom, dst, a, c, n);
}

void int32_to_float(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
  if (c.mode == kCastNone || c.mode == kCastRint)
    return nearest_floats(static_cast<float*>(dst), static_cast<const int32_t*>(a), n);
  number_row<OPK_FLOAT32, OPK_INT32>(dst, a, b, c, n);
}

Row plain(RowFn fn, uint8_t modes) {
  Row row;
  row.fn = fn;
  row.sources = 1;
  row.round_modes = modes;
  return row;
}

}  // namespace

void plain_cast(uint32_t to, uint32_t from, void* dst, const void* src, const RowContext& context,
                size_t n) {
  for (size_t i = 0; i < n; ++i) store_number(to, dst, i, load_number(from, src, i), context);
}

Row find_plain_cast_row(uint32_t op, uint32_t dst, uint32_t src) {
  if (op != OPK_V_CAST) return {};
  if (dst == OPK_FLOAT32 && src == OPK_INT32) return plain(int32_to_float, kModesSix);
  if (dst == OPK_FLOAT32 && src == OPK_INT64)
    return plain(number_row<OPK_FLOAT32, OPK_INT64>, kModesFive);
  if (dst == OPK_INT64 && src == OPK_FLOAT32)
    return plain(number_row<OPK_INT64, OPK_FLOAT32>, kModesFive);
  if (dst == OPK_INT64 && src == OPK_INT32)
    return plain(number_row<OPK_INT64, OPK_INT32>, kModeNone);
  if (dst == OPK_INT32 && src == OPK_INT64)
    return plain(number_row<OPK_INT32, OPK_INT64>, kModeNone);
  if (dst == OPK_INT16 && src == OPK_INT32)
    return plain(number_row<OPK_INT16, OPK_INT32>, kModeNone);
  if (dst == OPK_FLOAT16 && src == OPK_INT4)
    return plain(number_row<OPK_FLOAT16, OPK_INT4>, kModeNone);
  if (dst == OPK_INT4 && src == OPK_FLOAT16)
    return plain(number_row<OPK_INT4, OPK_FLOAT16>, kModesSix);
  return {};
}

}  // namespace opkit::core
