#ifndef OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSDATA_H_
#define OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSDATA_H_

#include "opkit/include/ascendc/advanced_transdata.h"

#endif  // OPKIT_INCLUDE_LIB_TRANSPOSE_TRANSDATA_H_
