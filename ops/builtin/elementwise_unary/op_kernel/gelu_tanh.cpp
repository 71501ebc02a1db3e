// y = gelu(x) in the form with tanh, element by element.
#include "gelu_tanh.h"
#include "unary.h"

UNARY_OP(gelu_tanh, float) { GeluTanh::To(y, x, count); }
