// y = x / 2 * (1 + erf(x / sqrt(2))), element by element.
#include "by_hand.h"
#include "normal_tail.h"

UNARY_OP_BY_HAND(gelu_op, 2 * sizeof(float))
BY_CALL {
  constexpr float kRootOfHalf = 0.70710678f;
  Muls(y, x, kRootOfHalf, count);
  Erf(x, y, count);  // its page excludes the same tensor
  Adds(x, x, 1.0f, count);
  Muls(y, y, kRootOfHalf, count);
  Mul(y, y, x, count);
}
BY_HAND {
  normal::Gelu(y, x, y, normal::PartOf(scratch, 2, 0), normal::PartOf(scratch, 2, 1), count);
}
