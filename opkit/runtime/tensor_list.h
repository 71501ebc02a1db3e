// The memory form of a dynamic input's tensors, as ListTensorDesc reads it in a kernel.
#ifndef OPKIT_RUNTIME_TENSOR_LIST_H_
#define OPKIT_RUNTIME_TENSOR_LIST_H_

#include <cstdint>
#include <vector>

#include "opkit/base/tensor.h"

namespace opkit {

// Words: byte offset of the pointer table; per tensor (dims count | index << 32) and its dims; the
// pointers. The list points into the tensors, which must outlive it.
std::vector<uint64_t> tensor_list(const std::vector<Tensor>& tensors);

}  // namespace opkit

#endif  // OPKIT_RUNTIME_TENSOR_LIST_H_
