// What the chip's compiler refuses of single halves and bfloat16s, refused here, too: arithmetic
// ("half precision operation is not allowed in aicore function"), also with numbers of other types.
// Conversions of half to and from float, signs and comparisons stay. Included by bfloat16.h.
#ifndef OPKIT_ABI_NUM_DEVICE_SCALARS_H_
#define OPKIT_ABI_NUM_DEVICE_SCALARS_H_

#include "opkit/abi/num/bfloat16.h"

namespace opkit {
namespace num_detail {

template <typename T>
constexpr bool is_narrow = std::is_base_of<Half, T>::value || std::is_same<T, BFloat16>::value;
template <typename T>
constexpr bool is_scalar = is_narrow<T> || std::is_arithmetic<T>::value || std::is_enum<T>::value;

template <typename A, typename B>
using if_narrow =
    std::enable_if_t<(is_narrow<A> && is_scalar<B>) || (is_narrow<B> && is_scalar<A>), int>;

}  // namespace num_detail

#define OPKIT_NO_ARITHMETIC(sign)                                    \
  template <typename A, typename B, num_detail::if_narrow<A, B> = 0> \
  A operator sign(const A&, const B&) = delete;                      \
  template <typename A, typename B, num_detail::if_narrow<A, B> = 0> \
  A& operator sign##=(A&, const B&) = delete;
OPKIT_NO_ARITHMETIC(+)
OPKIT_NO_ARITHMETIC(-)
OPKIT_NO_ARITHMETIC(*)
OPKIT_NO_ARITHMETIC(/)
#undef OPKIT_NO_ARITHMETIC

// Comparisons of half go by its conversion to float; bfloat16_t has none.
#define OPKIT_COMPARES(sign)                                           \
  constexpr bool operator sign(const BFloat16& a, const BFloat16& b) { \
    return a.wide() sign b.wide();                                     \
  }
OPKIT_COMPARES(<)
OPKIT_COMPARES(>)
OPKIT_COMPARES(<=)
OPKIT_COMPARES(>=)
OPKIT_COMPARES(==)
OPKIT_COMPARES(!=)
#undef OPKIT_COMPARES

}  // namespace opkit

#endif  // OPKIT_ABI_NUM_DEVICE_SCALARS_H_
