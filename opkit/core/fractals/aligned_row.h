// AlignedRow: scratch memory that grows and never shrinks.
#ifndef OPKIT_CORE_FRACTALS_ALIGNED_ROW_H_
#define OPKIT_CORE_FRACTALS_ALIGNED_ROW_H_

#include <cstddef>
#include <cstdint>
#include <memory>

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

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_ALIGNED_ROW_H_
