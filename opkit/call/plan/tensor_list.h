// The memory form of a dynamic port's tensors, as ListTensorDesc reads it in a kernel.
#ifndef OPKIT_CALL_PLAN_TENSOR_LIST_H_
#define OPKIT_CALL_PLAN_TENSOR_LIST_H_

#include <cstdint>
#include <vector>

#include "opkit/base/shape.h"

namespace opkit {

// Words: byte offset of the pointer table; per tensor (dims count | index << 32) and its dims; the
// addresses. REQUIRES: as many addresses as shapes.
std::vector<uint64_t> tensor_list(const std::vector<Shape>& shapes,
                                  const std::vector<void*>& addresses);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_TENSOR_LIST_H_
