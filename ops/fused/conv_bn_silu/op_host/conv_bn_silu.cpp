#include "conv_batch_norm_plan.h"

IMPL_OP_OPTILING(ConvBnSilu).Tiling(conv_dense::TilingBatchNorm<1>);
