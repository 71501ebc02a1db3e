#ifndef OPKIT_INCLUDE_RUNTIME_SHAPE_H_
#define OPKIT_INCLUDE_RUNTIME_SHAPE_H_

#include "exe_graph/runtime/shape.h"

#endif  // OPKIT_INCLUDE_RUNTIME_SHAPE_H_
