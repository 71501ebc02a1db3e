// CubeScratch: what the cube unit of one core keeps between instructions: operands expanded to
// float, and the blocks that Matmul objects have computed but not yet stored.
#ifndef OPKIT_CORE_CUBE_SCRATCH_H_
#define OPKIT_CORE_CUBE_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace opkit::core {

// Elements that start on a cache line; grows, never shrinks, and does not keep its contents when it
// grows.
template <typename T>
class AlignedRow {
 public:
  T* take(size_t elements) {
    if (elements > capacity_) {
      storage_ = std::make_unique<T[]>(elements + kLine / sizeof(T));
      capacity_ = elements;
    }
    const auto address = reinterpret_cast<uintptr_t>(storage_.get());
    return storage_.get() + (kLine - address % kLine) % kLine / sizeof(T);
  }

 private:
  static constexpr size_t kLine = 64;
  std::unique_ptr<T[]> storage_;
  size_t capacity_ = 0;
};

// A block of C that a Matmul object has computed, as panels of 16 columns.
struct MatmulBlock {
  uint64_t owner = 0;  // address of the object
  uint32_t m = 0, n = 0;
  std::vector<float> panels;  // int32 products hold their bits
};

struct CubeScratch {
  AlignedRow<float> a, b;
  std::vector<MatmulBlock> blocks;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_CUBE_SCRATCH_H_
