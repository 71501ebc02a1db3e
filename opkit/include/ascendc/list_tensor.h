// ListTensorDesc and TensorDesc: a dynamic input or output, which is a list of tensors. (Vendor's
// pages "ListTensorDesc", "TensorDesc".)
#ifndef OPKIT_INCLUDE_ASCENDC_LIST_TENSOR_H_
#define OPKIT_INCLUDE_ASCENDC_LIST_TENSOR_H_

#include "opkit/include/ascendc/tensor.h"

namespace AscendC {

// One tensor of a list. The author gives the room for its shape.
template <typename T>
class TensorDesc {
 public:
  void SetShapeAddr(uint64_t* shape) { shape_ = shape; }
  uint64_t GetDim() const { return dim_; }
  uint64_t GetIndex() const { return index_; }
  uint64_t GetShape(uint32_t axis) const { return shape_[axis]; }
  T* GetDataPtr() const { return data_; }
  GlobalTensor<T> GetDataObj() const {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  uint64_t* shape_ = nullptr;
  uint64_t dim_ = 0, index_ = 0;
  T* data_ = nullptr;
};

// The descriptor is words of 64 bits: the byte offset of the table of pointers; for each tensor a
// word with its number of dimensions (low half) and its index (high half; of the first tensor, the
// number of tensors), followed by the dimensions; then the pointers. A tensor without dimensions
// has one more word, which is not read.
class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  explicit ListTensorDesc(__gm__ void* data, uint64_t length = ~uint64_t{0},
                          uint32_t shapeSize = ~uint32_t{0}) {
    Init(data, length, shapeSize);
  }
  void Init(__gm__ void* data, uint64_t = ~uint64_t{0}, uint32_t = ~uint32_t{0}) {
    words_ = static_cast<uint64_t*>(data);
  }

  // Returns the tensors of the list.
  uint32_t GetSize() const {
    uint32_t count = 0;
    for (uint64_t at = 1; at < words_[0] / 8; at = next(at)) ++count;
    return count;
  }
  template <typename T>
  __gm__ T* GetDataPtr(uint32_t index) const {
    return reinterpret_cast<__gm__ T*>(words_[words_[0] / 8 + index]);
  }
  // REQUIRES: desc has room for the dimensions (SetShapeAddr).
  template <typename T>
  void GetDesc(TensorDesc<T>& desc, uint32_t index) const {
    uint64_t at = 1;
    for (uint32_t i = 0; i < index; ++i) at = next(at);
    desc.dim_ = dims(at);
    desc.index_ = index;
    desc.data_ = GetDataPtr<T>(index);
    for (uint64_t axis = 0; axis < desc.dim_ && desc.shape_; ++axis)
      desc.shape_[axis] = words_[at + 1 + axis];
  }

 private:
  uint64_t dims(uint64_t at) const { return words_[at] & 0xffffffffu; }
  uint64_t next(uint64_t at) const { return at + 1 + (dims(at) != 0 ? dims(at) : 1); }

  const uint64_t* words_ = nullptr;
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_LIST_TENSOR_H_
