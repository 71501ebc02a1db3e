#include "conv_batch_norm_plan.h"

IMPL_OP_OPTILING(ConvBnRelu).Tiling(conv_dense::TilingBatchNorm<0>);
IMPL_OP_OPTILING(ConvBnSilu).Tiling(conv_dense::TilingBatchNorm<1>);
