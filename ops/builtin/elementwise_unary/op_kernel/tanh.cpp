// y = the hyperbolic tangent of x, element by element.
#include "by_hand.h"
#include "sigmoid_tanh.h"

UNARY_OP_BY_HAND(tanh_op, 0)
BY_CALL { Tanh(y, x, count); }
BY_HAND {
  bend::Tanh(x, y, count);
  Adds(y, x, 0.0f, count);
}
