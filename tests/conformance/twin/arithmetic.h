// The element-wise operations on single values, as plainly as they can be written. half and
// bfloat16 are computed in float and rounded once at the end.
#ifndef TESTS_CONFORMANCE_TWIN_ARITHMETIC_H_
#define TESTS_CONFORMANCE_TWIN_ARITHMETIC_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "opkit/abi/num/half.h"

namespace twin {

// What a value is computed in.
template <typename T>
using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, float>;

template <typename T>
Wide<T> wide(T value) {
  return static_cast<Wide<T>>(value);
}
template <typename T>
T narrow(Wide<T> value) {
  return static_cast<T>(value);
}

// Control bit 48 = 0: half results stay finite.
template <typename T>
T saturated(T value) {
  if constexpr (std::is_same_v<T, opkit::Half>) {
    const float f = value;
    if (f != f) return opkit::Half(0.0f);
    if (f > 65504.0f) return opkit::Half(65504.0f);
    if (f < -65504.0f) return opkit::Half(-65504.0f);
  }
  return value;
}

template <typename W>
W larger(W a, W b) {
  return a != a || a > b ? a : b;
}
template <typename W>
W smaller(W a, W b) {
  return a != a || a < b ? a : b;
}
template <typename W>
W relu(W x) {
  return x <= 0 ? W(0) : x;
}

template <typename T>
T add(T a, T b, T) {
  return narrow<T>(wide(a) + wide(b));
}
template <typename T>
T sub(T a, T b, T) {
  return narrow<T>(wide(a) - wide(b));
}
template <typename T>
T mul(T a, T b, T) {
  return narrow<T>(wide(a) * wide(b));
}
template <typename T>
T div(T a, T b, T) {
  return narrow<T>(wide(a) / wide(b));
}
template <typename T>
T max(T a, T b, T) {
  return narrow<T>(larger(wide(a), wide(b)));
}
template <typename T>
T min(T a, T b, T) {
  return narrow<T>(smaller(wide(a), wide(b)));
}
template <typename T>
T bit_and(T a, T b, T) {
  return static_cast<T>(a & b);
}
template <typename T>
T bit_or(T a, T b, T) {
  return static_cast<T>(a | b);
}
// The sum wraps before it is compared with 0.
template <typename T>
T add_relu(T a, T b, T old) {
  if constexpr (std::is_integral_v<T>) return relu(add(a, b, old));
  return narrow<T>(relu(wide(a) + wide(b)));
}
template <typename T>
T sub_relu(T a, T b, T old) {
  if constexpr (std::is_integral_v<T>) return relu(sub(a, b, old));
  return narrow<T>(relu(wide(a) - wide(b)));
}
template <typename T>
T mul_add_dst(T a, T b, T old) {
  return narrow<T>(wide(a) * wide(b) + wide(old));
}
template <typename T>
T fused_mul_add(T a, T b, T old) {
  return narrow<T>(wide(a) * wide(old) + wide(b));
}
template <typename T>
T fused_mul_add_relu(T a, T b, T old) {
  return narrow<T>(relu(wide(a) * wide(old) + wide(b)));
}

template <typename T>
T leaky_relu(T a, T s, T) {
  return wide(a) >= 0 ? a : narrow<T>(wide(a) * wide(s));
}
template <typename T>
T axpy(T a, T s, T old) {
  return narrow<T>(wide(a) * wide(s) + wide(old));
}
template <typename T>
T shift_left(T a, T s, T) {
  // Doubled again and again, without the bit below the sign that would change it.
  constexpr int64_t kHalf = int64_t{1} << (8 * sizeof(T) - (std::is_signed_v<T> ? 2 : 1));
  int64_t x = a;
  for (uint64_t i = 0; i < static_cast<uint64_t>(s) && i < 64; ++i) {
    if (x >= 0)
      x = x % kHalf * 2;
    else
      x = (x + 2 * kHalf) % kHalf * 2 - 2 * kHalf;
  }
  return static_cast<T>(x);
}
template <typename T>
T shift_right(T a, T s, T) {
  T x = a;
  for (uint64_t i = 0; i < static_cast<uint64_t>(s) && i < 64; ++i)
    x = static_cast<T>(x < 0 && x % 2 != 0 ? (int64_t{x} - 1) / 2 : x / 2);
  return x;
}

template <typename T>
T abs(T a) {
  return narrow<T>(wide(a) < 0 || std::signbit(static_cast<float>(a)) ? -wide(a) : wide(a));
}
template <typename T>
T relu_of(T a) {
  return narrow<T>(relu(wide(a)));
}
template <typename T>
T sqrt(T a) {
  return narrow<T>(std::sqrt(wide(a)));
}
template <typename T>
T rsqrt(T a) {
  return narrow<T>(1.0f / std::sqrt(wide(a)));
}
template <typename T>
T reciprocal(T a) {
  return narrow<T>(1.0f / wide(a));
}
template <typename T>
T bit_not(T a) {
  return static_cast<T>(~a);
}

}  // namespace twin

#endif  // TESTS_CONFORMANCE_TWIN_ARITHMETIC_H_
