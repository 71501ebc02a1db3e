// A class for every operator of graph/operators.inc: op::Relu("relu").set_input_x(data).
#ifndef OPKIT_INCLUDE_ALL_OPS_H_
#define OPKIT_INCLUDE_ALL_OPS_H_

#include <string>

#include "graph/operator.h"

namespace ge {
namespace op {

#include "graph/operator_classes.inc"
#include "graph/operators.inc"

}  // namespace op
}  // namespace ge

#endif  // OPKIT_INCLUDE_ALL_OPS_H_
