// BFloat16: the upper half of a binary32. C++17, bit-exact; conversions from float round to nearest
// even.
#ifndef OPKIT_ABI_NUM_BFLOAT16_H_
#define OPKIT_ABI_NUM_BFLOAT16_H_

#include "opkit/abi/num/half.h"

namespace opkit {

struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  template <typename T, num_detail::if_arithmetic<T> = 0>
  constexpr BFloat16(T value) : bits(round_bits(static_cast<float>(value))) {}
  explicit constexpr BFloat16(Half value) : BFloat16(static_cast<float>(value)) {}

  static constexpr BFloat16 from_bits(uint16_t bits) {
    BFloat16 b(0.0f);
    b.bits = bits;
    return b;
  }

  constexpr float wide() const { return num_detail::bits_float(static_cast<uint32_t>(bits) << 16); }
#ifdef OPKIT_DEVICE_SCALARS
  operator float() const =
      delete;  // refuses a single bfloat16_t; the page "ToFloat" has the call for it
#else
  constexpr operator float() const { return wide(); }
#endif

  constexpr BFloat16 operator-() const { return from_bits(static_cast<uint16_t>(bits ^ 0x8000u)); }
#ifndef OPKIT_DEVICE_SCALARS
  constexpr BFloat16& operator+=(BFloat16 o) { return *this = BFloat16(wide() + o.wide()); }
  constexpr BFloat16& operator-=(BFloat16 o) { return *this = BFloat16(wide() - o.wide()); }
  constexpr BFloat16& operator*=(BFloat16 o) { return *this = BFloat16(wide() * o.wide()); }
  constexpr BFloat16& operator/=(BFloat16 o) { return *this = BFloat16(wide() / o.wide()); }
#endif

 private:
  static constexpr uint16_t round_bits(float value) {
    const uint32_t bits = num_detail::float_bits(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
};

static_assert(sizeof(BFloat16) == 2 && std::is_trivially_copyable<BFloat16>::value,
              "BFloat16 is two plain bytes");

constexpr Half::Half(BFloat16 value) : Half(value.wide()) {}

}  // namespace opkit

#ifdef OPKIT_DEVICE_SCALARS
#include "opkit/abi/num/device_scalars.h"
#endif

#endif  // OPKIT_ABI_NUM_BFLOAT16_H_
