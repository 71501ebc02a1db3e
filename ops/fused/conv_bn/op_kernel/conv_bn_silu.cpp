// y = silu(batch_normalization(convolution(x, w))).
#include "conv_bn.h"

CONV_BN_OP(conv_bn_silu, 1) {
  Muls(work, y, -1.0f, count);
  Exp(work, work, count);
  Adds(work, work, 1.0f, count);
  Div(y, y, work, count);
}
