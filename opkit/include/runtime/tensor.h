#ifndef OPKIT_INCLUDE_RUNTIME_TENSOR_H_
#define OPKIT_INCLUDE_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/tensor.h"

#endif  // OPKIT_INCLUDE_RUNTIME_TENSOR_H_
