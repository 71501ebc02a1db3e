#include "opkit/core/modes/timed/composed.h"

#include "opkit/abi/core.h"

namespace opkit::core::timed {

// Slow are Exp, Ln, Sqrt and Div. Where a page gives a formula, its operations are counted; the
// error function and the trigonometric ones have none that a chip could follow, and are counted as
// handbooks compute them in single precision (docs/timing.md).
Steps steps_of(uint32_t op) {
  switch (op) {
    case OPK_V_SIGMOID: return {2, 2};  // 1 / (1 + e^-x)
    case OPK_V_TANH: return {3, 3};     // (e^x - e^-x) / (e^x + e^-x)
    case OPK_V_SINH:                    // (e^x - e^-x) / 2
    case OPK_V_COSH: return {3, 2};
    case OPK_V_LOG2:  // ln x / ln 2
    case OPK_V_LOG10: return {1, 1};
    case OPK_V_ASINH:  // ln(x + sqrt(x^2 + 1))
    case OPK_V_ACOSH: return {3, 2};
    case OPK_V_ATANH: return {4, 2};  // ln((1 + x) / (1 - x)) / 2
    case OPK_V_POWER: return {1, 2};  // e^(y ln x)
    case OPK_V_FMOD: return {3, 1};   // x - trunc(x / y) y
    case OPK_V_FRAC: return {2, 0};   // x - trunc(x)
    case OPK_V_XOR:
      return {4, 0};  // (x | y) & ~(x & y)
    // With t = 1 / (1 + p |x|): 1 - (five powers of t) e^(-x^2), and the sign of x.
    case OPK_V_ERF: return {20, 2};
    case OPK_V_ERFC:
      return {22, 2};  // 1 - erf x
    // Less the nearest multiple of pi in two parts, five odd powers, the sign.
    case OPK_V_SIN:
    case OPK_V_COS: return {20, 0};
    case OPK_V_TAN:
      return {34, 1};  // both, of one reduced x
    // Four powers times sqrt(1 - |x|), and the sign.
    case OPK_V_ASIN:
    case OPK_V_ACOS: return {14, 1};
    case OPK_V_ATAN:
      return {20, 1};  // (|x| - 1) / (|x| + 1), eight odd powers, the sign
    // Stirling's series behind a shift of x.
    case OPK_V_LGAMMA:
    case OPK_V_DIGAMMA: return {14, 3};
    default: return {};
  }
}

}  // namespace opkit::core::timed
