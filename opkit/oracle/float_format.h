// The floating formats as numbers: precision, range, neighbours and roundings. Shares nothing with
// opkit/abi/num, so that a mistake there cannot hide itself.
#ifndef OPKIT_ORACLE_FLOAT_FORMAT_H_
#define OPKIT_ORACLE_FLOAT_FORMAT_H_

#include <string_view>

#include "opkit/base/dtype.h"

namespace opkit::oracle {

struct FloatFormat {
  int precision = 24;     // bits of the significand, the hidden one included
  int min_exponent = 0;   // is the exponent of the smallest normal value, 2^min_exponent
  double largest = 0;     // finite
  double unit = 0;        // 2^-precision, the relative error of one rounding to nearest
  double min_normal = 0;  // 2^min_exponent
  double overflow = 0;    // what is at least so large rounds to infinity
};

// REQUIRES: is_float(dtype).
const FloatFormat& format_of(DType dtype);

// Returns the distance between neighbours of the format around x; of its largest binade beyond it.
double ulp_at(DType dtype, double x);
// Returns the next value of the format above (or below) x. REQUIRES: x is a value of the format.
double next_up(DType dtype, double x);
double next_down(DType dtype, double x);

// Nearest, ties to even; overflow gives infinity, or the largest value when saturating.
double round_to(DType dtype, double x, bool saturate);
// Returns the contract's rounding names: rint, floor, ceil, round, trunc, odd.
double round_to(DType dtype, double x, bool saturate, std::string_view rounding);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_FLOAT_FORMAT_H_
