// y = x, or alpha * x where x is negative, element by element.
#include "numbers.h"

NUMBERS_OP(leaky_relu_op) { LeakyRelu(y, x, number[0], count); }
