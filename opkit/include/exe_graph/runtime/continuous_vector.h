// gert::ContinuousVector: the value of a list attribute.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_

#include <cstddef>

namespace gert {

class ContinuousVector {
 public:
  ContinuousVector() = default;
  // Borrows the elements.
  ContinuousVector(const void* data, size_t size) : size_(size), data_(data) {}

  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return size_; }
  const void* GetData() const { return data_; }

 private:
  size_t size_ = 0;
  const void* data_ = nullptr;
};

template <typename T>
class TypedContinuousVector : public ContinuousVector {
 public:
  using ContinuousVector::ContinuousVector;
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
