#include "opkit/core/isa/cube/matmul_call.h"

#include <cstddef>
#include <cstring>

namespace opkit::core {

// Returns the call as the engine of today knows it: a plugin of before gives no steps, and gets
// those of a tiling without double buffers.
MatmulCall complete(const opk_matmul_v1& told) {
  MatmulCall x{};
  std::memcpy(static_cast<opk_matmul_v1*>(&x), &told,
              told.tail != OPK_MATMUL_ENDS ? sizeof told : offsetof(opk_matmul_v1, steps));
  if (told.tail == OPK_MATMUL_HAS_STEPS_AND_INDEX)
    x.index = reinterpret_cast<const opk_sparse_matmul_v1&>(told).index;
  return x;
}

}  // namespace opkit::core
