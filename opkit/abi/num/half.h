// Half: IEEE 754 binary16, bit-exact on every machine. C++17, no dependencies; the same type is
// `half` in kernels and FLOAT16 on the host.
//
// Arithmetic is done in float and rounded once to nearest even. For + - * / and sqrt that equals
// the correctly rounded binary16 result, because float has more than 2p+2 bits (Figueroa, "When is
// double rounding innocuous?"). OPKIT_DEVICE_SCALARS says that the chip's compiler would compile
// the source: it refuses arithmetic of single halves (opkit/abi/num/device_scalars.h).
#ifndef OPKIT_ABI_NUM_HALF_H_
#define OPKIT_ABI_NUM_HALF_H_

#include <cstdint>
#include <type_traits>

// The vendor's CPU debugging compiles functions of the device for the host.
#if defined(ASCENDC_CPU_DEBUG) || defined(__CCE_KT_TEST__)
#undef OPKIT_DEVICE_SCALARS
#endif

namespace opkit {

namespace num_detail {

constexpr uint32_t float_bits(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float bits_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// Float to binary16 bits, nearest even; overflow gives infinity; NaN stays NaN (quiet).
constexpr uint16_t float_to_half_bits(float value) {
  const uint32_t bits = float_bits(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) {
    const uint32_t rebased = magnitude - 0x38000000u;
    return static_cast<uint16_t>(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
  }
  if (magnitude < 0x33000000u) return static_cast<uint16_t>(sign);
  const uint32_t shift = 126u - (magnitude >> 23);
  const uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  const uint32_t kept = mantissa >> shift;
  const uint32_t rest = mantissa & ((1u << shift) - 1u);
  const uint32_t middle = 1u << (shift - 1u);
  const uint32_t up = rest > middle || (rest == middle && (kept & 1u)) ? 1u : 0u;
  return static_cast<uint16_t>(sign | (kept + up));
}

constexpr float half_bits_to_float(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  uint32_t exponent = (bits >> 10) & 0x1fu;
  uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 31u) return bits_float(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0) return bits_float(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  if (mantissa == 0) return bits_float(sign);
  exponent = 113u;
  while (!(mantissa & 0x400u)) {
    mantissa <<= 1;
    --exponent;
  }
  return bits_float(sign | (exponent << 23) | ((mantissa & 0x3ffu) << 13));
}

template <typename T>
using if_arithmetic = std::enable_if_t<std::is_arithmetic<T>::value, int>;

}  // namespace num_detail

struct BFloat16;

struct Half {
  uint16_t bits;

  Half() = default;
  template <typename T, num_detail::if_arithmetic<T> = 0>
  constexpr Half(T value) : bits(num_detail::float_to_half_bits(from_number(value))) {}
  explicit constexpr Half(BFloat16 value);

  static constexpr Half from_bits(uint16_t bits) {
    Half h(0.0f);
    h.bits = bits;
    return h;
  }

  constexpr operator float() const { return num_detail::half_bits_to_float(bits); }

  constexpr Half operator-() const { return from_bits(static_cast<uint16_t>(bits ^ 0x8000u)); }
#ifndef OPKIT_DEVICE_SCALARS
  constexpr Half& operator+=(Half o) { return *this = Half(float(*this) + float(o)); }
  constexpr Half& operator-=(Half o) { return *this = Half(float(*this) - float(o)); }
  constexpr Half& operator*=(Half o) { return *this = Half(float(*this) * float(o)); }
  constexpr Half& operator/=(Half o) { return *this = Half(float(*this) / float(o)); }
#endif

 private:
  // A double or 64-bit integer is first rounded to float with an odd last bit, so that the second
  // rounding sees that it was inexact.
  template <typename T>
  static constexpr float from_number(T value) {
    if constexpr (sizeof(T) <= 2 || std::is_same<T, float>::value) {
      return static_cast<float>(value);
    } else {
      return round_to_odd(static_cast<double>(value));
    }
  }
  static constexpr float round_to_odd(double value) {
    const float rounded = static_cast<float>(value);
    const double back = static_cast<double>(rounded);
    if (back == value || value != value || back - back != 0.0) return rounded;
    const uint32_t bits = num_detail::float_bits(rounded);
    if (bits & 1u) return rounded;
    const bool away = (back > value) == (value > 0);  // rounded has the larger magnitude
    return num_detail::bits_float(away ? bits - 1u : bits + 1u);
  }
};

static_assert(sizeof(Half) == 2 && std::is_trivially_copyable<Half>::value,
              "Half is two plain bytes");

}  // namespace opkit

#endif  // OPKIT_ABI_NUM_HALF_H_
