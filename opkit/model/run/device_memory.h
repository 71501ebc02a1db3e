// A piece of emulated device memory: zeros, in large pages as they are written.
#ifndef OPKIT_MODEL_RUN_DEVICE_MEMORY_H_
#define OPKIT_MODEL_RUN_DEVICE_MEMORY_H_

#include "opkit/base/large_pages.h"
#include "opkit/base/tensor.h"

namespace opkit::model_run {

// Error: OPK-TENSOR-001, the host has not that many addresses.
inline Result<Tensor> device_memory(uint64_t bytes) {
  constexpr uint64_t kTail = 512;
  OPKIT_TRY(Tensor memory,
            Tensor::reserved(DType::kUInt8, Shape{static_cast<int64_t>(bytes + kTail)}));
  want_large_pages(memory.data(), memory.size_bytes());
  return memory;
}

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_DEVICE_MEMORY_H_
