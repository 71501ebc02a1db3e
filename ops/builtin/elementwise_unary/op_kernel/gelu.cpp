// y = x / 2 * (1 + erf(x / sqrt(2))), element by element.
#include "by_hand.h"
#include "normal_tail.h"

UNARY_OP_BY_HAND(gelu_op, 2 * sizeof(float))
BY_CALL {
  constexpr float kRootOfHalf = 0.70710678f;
  Muls(y, x, kRootOfHalf, count);
  Muls(x, x, 0.5f, count);
  Erf(y, y, count);
  Adds(y, y, 1.0f, count);
  Mul(y, y, x, count);
}
BY_HAND {
  normal::Gelu(y, x, y, normal::PartOf(scratch, 2, 0), normal::PartOf(scratch, 2, 1), count);
}
