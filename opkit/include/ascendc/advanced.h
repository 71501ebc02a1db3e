// The advanced vector API (the high-level library). (Pages under "高阶API".)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_H_

#include "opkit/include/ascendc/advanced_activation.h"
#include "opkit/include/ascendc/advanced_antiquant.h"
#include "opkit/include/ascendc/advanced_bilinear.h"
#include "opkit/include/ascendc/advanced_broadcast.h"
#include "opkit/include/ascendc/advanced_cumsum.h"
#include "opkit/include/ascendc/advanced_fill.h"
#include "opkit/include/ascendc/advanced_filter.h"
#include "opkit/include/ascendc/advanced_math.h"
#include "opkit/include/ascendc/advanced_norm.h"
#include "opkit/include/ascendc/advanced_norm_batch.h"
#include "opkit/include/ascendc/advanced_norm_grad.h"
#include "opkit/include/ascendc/advanced_pad.h"
#include "opkit/include/ascendc/advanced_quant.h"
#include "opkit/include/ascendc/advanced_reduce.h"
#include "opkit/include/ascendc/advanced_reduce_axis.h"
#include "opkit/include/ascendc/advanced_softmax.h"
#include "opkit/include/ascendc/advanced_softmax_flash.h"
#include "opkit/include/ascendc/advanced_softmax_grad.h"
#include "opkit/include/ascendc/advanced_softmax_shift.h"
#include "opkit/include/ascendc/advanced_topk.h"
#include "opkit/include/ascendc/advanced_transdata.h"
#include "opkit/include/ascendc/advanced_transpose.h"
#include "opkit/include/ascendc/advanced_welford.h"

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_H_
