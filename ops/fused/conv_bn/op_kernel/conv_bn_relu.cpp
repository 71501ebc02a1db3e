// y = relu(batch_normalization(convolution(x, w))).
#include "conv_bn.h"

CONV_BN_OP(conv_bn_relu, 0) { Relu(y, y, count); }
