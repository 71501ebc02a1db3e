// Every vector call of the kernel-side API.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_H_

#include "opkit/include/ascendc/vector_accumulate.h"
#include "opkit/include/ascendc/vector_cast.h"
#include "opkit/include/ascendc/vector_compare.h"
#include "opkit/include/ascendc/vector_dequant.h"
#include "opkit/include/ascendc/vector_duplicate.h"
#include "opkit/include/ascendc/vector_expression.h"
#include "opkit/include/ascendc/vector_gather.h"
#include "opkit/include/ascendc/vector_index.h"
#include "opkit/include/ascendc/vector_joined.h"
#include "opkit/include/ascendc/vector_mask.h"
#include "opkit/include/ascendc/vector_params.h"
#include "opkit/include/ascendc/vector_reduce.h"
#include "opkit/include/ascendc/vector_regular.h"
#include "opkit/include/ascendc/vector_sort.h"
#include "opkit/include/ascendc/vector_transpose.h"

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_H_
