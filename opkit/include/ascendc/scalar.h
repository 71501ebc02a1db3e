// Scalar helpers, constants and type traits that kernels reach into without including anything for
// them. (Facts: vendor's pages "GetDataBlockSizeInBytes", "LocalTensor", "TEventID"; names as
// public kernels use them.)
//
// The functions take their last parameter as a pack, so that an author's own function of the same
// name is always the better match and never ambiguous.
#ifndef OPKIT_INCLUDE_ASCENDC_SCALAR_H_
#define OPKIT_INCLUDE_ASCENDC_SCALAR_H_

#include <tuple>

#include "opkit/include/ascendc/base.h"

namespace AscendC {

using TEventID = int8_t;

constexpr uint64_t FULL_MASK = ~uint64_t{0};
constexpr uint32_t CACHE_LINE_SIZE = 64;  // bytes
constexpr int32_t B16_BYTE_SIZE = 2;
constexpr int32_t B32_BYTE_SIZE = 4;
constexpr uint32_t B16_DATA_NUM_PER_BLOCK = 16;
constexpr uint32_t B32_DATA_NUM_PER_BLOCK = 8;
constexpr uint32_t B16_DATA_NUM_PER_REPEAT = 128;
constexpr uint32_t B32_DATA_NUM_PER_REPEAT = 64;
constexpr uint32_t ONE_REPEAT_FLOAT_SIZE = 64;
constexpr uint32_t ONE_REPEAT_HALF_SIZE = 128;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr uint32_t ONE_BLK_HALF_NUM = 16;
constexpr int32_t BRCB_BROADCAST_NUMBER = 8;
constexpr float PI = 3.14159265358979f;

// The name of older sources; the pages have Std::conditional.
template <bool condition, typename Yes, typename No>
struct Conditional {
  using type = std::conditional_t<condition, Yes, No>;
};

namespace Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::get;
using std::index_sequence;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::make_tuple;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
template <typename T, typename U>
using IsSame = std::is_same<T, U>;

template <typename T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <typename T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <typename T>
constexpr T abs(T value) {
  return static_cast<T>(value < 0 ? -value : value);
}
// The root of a whole number is cut to a whole number; negative values have none.
template <typename T>
inline T sqrt(T value) {
  static_assert(std::is_same<T, float>::value || std::is_same<T, int64_t>::value,
                "Std::sqrt exists for float and int64_t");
  if constexpr (std::is_same<T, float>::value) {
    return __builtin_sqrtf(value);
  } else {
    if (value <= 0) return 0;
    auto root = static_cast<T>(__builtin_sqrt(static_cast<double>(value)));
    while (root > value / root) --root;
    while (root + 1 <= value / (root + 1)) ++root;
    return root;
  }
}

}  // namespace Std

using TrueType = Std::true_type;
using FalseType = Std::false_type;

// The bits of one element.
template <typename T>
struct SizeOfBits {
  static constexpr size_t value = detail::bits_of<T>();
};

namespace detail {

template <typename A, typename... B>
using WholeNumbers = std::enable_if_t<sizeof...(B) == 1 && std::is_integral<A>::value &&
                                      std::conjunction<std::is_integral<B>...>::value>;

template <typename A, typename... B>
using Scalars = std::enable_if_t<sizeof...(B) == 1 && std::is_arithmetic<A>::value &&
                                 std::conjunction<std::is_arithmetic<B>...>::value>;

template <typename A, typename B>
constexpr auto ceil_div(A a, B b) -> decltype(a + b) {
  return (a + b - 1) / b;
}

}  // namespace detail

// a / b rounded up; b is not 0.
template <typename A, typename... B, typename = detail::WholeNumbers<A, B...>>
constexpr auto Ceil(A a, B... b) -> decltype((a + ... + b)) {
  return detail::ceil_div(a, b...);
}
template <typename A, typename... B, typename = detail::WholeNumbers<A, B...>>
constexpr auto DivCeil(A a, B... b) -> decltype((a + ... + b)) {
  return detail::ceil_div(a, b...);
}
// a rounded up to a multiple of b; b is not 0.
template <typename A, typename... B, typename = detail::WholeNumbers<A, B...>>
constexpr auto AlignUp(A a, B... b) -> decltype((a + ... + b)) {
  return detail::ceil_div(a, b...) * (b + ...);
}
template <typename A, typename... B, typename = detail::WholeNumbers<A, B...>>
constexpr auto CeilAlign(A a, B... b) -> decltype((a + ... + b)) {
  return detail::ceil_div(a, b...) * (b + ...);
}

// The vendor's address check is built in here: every GM access is checked.
template <typename T>
OPKIT_INLINE void OOMCheckAddrRange(__gm__ T*, const uint64_t) {}

}  // namespace AscendC

// Built into the device's compiler.
template <typename A, typename... B, typename = ::AscendC::detail::Scalars<A, B...>>
constexpr auto min(A a, B... b) -> decltype((a + ... + b)) {
  const decltype((a + ... + b)) left = a, right = (b + ...);
  return left < right ? left : right;
}
template <typename A, typename... B, typename = ::AscendC::detail::Scalars<A, B...>>
constexpr auto max(A a, B... b) -> decltype((a + ... + b)) {
  const decltype((a + ... + b)) left = a, right = (b + ...);
  return left < right ? right : left;
}

template <typename A, typename... None,
          typename = std::enable_if_t<sizeof...(None) == 0 && std::is_arithmetic<A>::value>>
constexpr A abs(A a, None...) {
  return a < 0 ? -a : a;
}
// x with bit `at` cleared or set.
constexpr uint64_t sbitset0(uint64_t x, int64_t at) { return x & ~(uint64_t{1} << (at & 63)); }
constexpr uint64_t sbitset1(uint64_t x, int64_t at) { return x | uint64_t{1} << (at & 63); }

#endif  // OPKIT_INCLUDE_ASCENDC_SCALAR_H_
