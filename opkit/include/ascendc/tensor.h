// LocalTensor and GlobalTensor: handles of memory, copied by value; calls take them const and write
// through them. (Vendor's pages "LocalTensor", "GlobalTensor".)
#ifndef OPKIT_INCLUDE_ASCENDC_TENSOR_H_
#define OPKIT_INCLUDE_ASCENDC_TENSOR_H_

#include "opkit/include/ascendc/base.h"
#include "opkit/include/ascendc/chips.h"
#include "opkit/include/ascendc/data_format.h"

namespace AscendC {

constexpr uint32_t K_MAX_SHAPE_DIM = 8;
using TTagType = int32_t;

struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t dim, const uint32_t dims[], uint8_t originDim, const uint32_t originDims[],
            DataFormat format)
      : shapeDim(dim), originalShapeDim(originDim), dataFormat(format) {
    for (uint32_t i = 0; i < dim && i < K_MAX_SHAPE_DIM; ++i) shape[i] = dims[i];
    for (uint32_t i = 0; i < originDim && i < K_MAX_SHAPE_DIM; ++i)
      originalShape[i] = originDims[i];
  }
  ShapeInfo(uint8_t dim, const uint32_t dims[], DataFormat format)
      : ShapeInfo(dim, dims, dim, dims, format) {}
  ShapeInfo(uint8_t dim, const uint32_t dims[]) : ShapeInfo(dim, dims, DataFormat::ND) {}

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_SHAPE_DIM] = {};
  uint32_t originalShape[K_MAX_SHAPE_DIM] = {};
  DataFormat dataFormat = DataFormat::ND;
};

inline int GetShapeSize(const ShapeInfo& info) {
  int size = 1;
  for (uint32_t i = 0; i < info.shapeDim; ++i) size *= static_cast<int>(info.shape[i]);
  return size;
}

namespace detail {

template <typename T>
struct LocalElement;

// Tells the engine of a scalar access when somebody watches, or when the tensor has no size that
// could be compared with, and refuses an index behind the end.
// The element's place, which is elsewhere for GM where an observer of a launch without data has put
// `where.address` of a watched access.
template <typename Tensor>
OPKIT_INLINE typename Tensor::PrimType* scalar_access(const Tensor& tensor, uint64_t index,
                                                      opk_scalar_access how);

}  // namespace detail

template <typename T>
class LocalTensor {
 public:
  using PrimType = T;

  LocalTensor() = default;
  // Static form: byte address inside the memory of `position`, size in elements.
  LocalTensor(TPosition position, uint32_t addr, uint32_t size) {
    address_.logicPos = static_cast<uint8_t>(position);
    address_.bufferAddr = addr;
    address_.dataLen = static_cast<uint32_t>(detail::bytes_of<T>(size));
  }
  explicit LocalTensor(const TBuffAddr& address) : address_(address) {}

  LocalTensor operator[](uint32_t offset) const {
    LocalTensor view = *this;
    const uint32_t bytes = static_cast<uint32_t>(detail::bytes_before<T>(offset));
    view.address_.bufferAddr += bytes;
    view.address_.dataLen = bytes < address_.dataLen ? address_.dataLen - bytes : 0;
    return view;
  }

  OPKIT_INLINE T GetValue(uint32_t index) const {
    return *detail::scalar_access(*this, index, OPK_SCALAR_READ);
  }
  template <typename S>
  OPKIT_INLINE void SetValue(uint32_t index, S value) const {
    *detail::scalar_access(*this, index, OPK_SCALAR_WRITE) = static_cast<T>(value);
  }
  OPKIT_INLINE T& operator()(uint32_t index) const {
    return *detail::scalar_access(*this, index, OPK_SCALAR_REFERENCE);
  }

  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> other(address_);
    return other;
  }

  uint32_t GetSize() const {
    return static_cast<uint32_t>(detail::elements_in<T>(address_.dataLen));
  }
  uint32_t GetLength() const { return address_.dataLen; }
  void SetSize(uint32_t size) {
    address_.dataLen = static_cast<uint32_t>(detail::bytes_of<T>(size));
  }
  int32_t GetPosition() const { return address_.logicPos; }
  void SetBufferLen(uint32_t bytes) { address_.dataLen = bytes; }

  // Returns the host address as an integer, so that (__ubuf__ T*)t.GetPhyAddr() is a usable
  // pointer.
  uint64_t GetPhyAddr() const {
    if (detail::core()->scalar_watch) detail::core()->isa->materialize(detail::core());
    return reinterpret_cast<uint64_t>(pointer());
  }
  uint64_t GetPhyAddr(uint32_t offset) const {
    return GetPhyAddr() + detail::bytes_before<T>(offset);
  }

  template <typename U>
  void SetAddrWithOffset(LocalTensor<U>& source, uint32_t offset) {
    address_ = source.address_;
    address_.bufferAddr += static_cast<uint32_t>(detail::bytes_before<T>(offset));
  }
  void SetAddr(const TBuffAddr& address) { address_ = address; }

  // Debugging on the host: 32 bytes per line; a file of the bytes in the working directory, 0 when
  // it was written. Defined in tensor_debug.h.
  void Print() const;
  void Print(uint32_t len) const;
  template <typename FileName>
  int32_t ToFile(const FileName& fileName) const;

  void SetUserTag(TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }
  void SetShapeInfo(const ShapeInfo& info) { shape_ = info; }
  ShapeInfo GetShapeInfo() const { return shape_; }

  // Expression objects: dst = a + b means Add(dst, a, b, dst.GetSize()). Defined in
  // vector_expression.h.
  template <typename Expression, typename = decltype(&Expression::template evaluate<T>)>
  LocalTensor& operator=(const Expression& expression) {
    expression.template evaluate<T>(*this);
    return *this;
  }

  T* pointer() const {
    return reinterpret_cast<T*>(
        detail::core()->memory[detail::memory_of(static_cast<TPosition>(address_.logicPos))] +
        address_.bufferAddr);
  }

  TBuffAddr address_;

 private:
  int32_t tag_ = 0;
  ShapeInfo shape_;
};

template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  void SetGlobalBuffer(__gm__ T* buffer) { SetGlobalBuffer(buffer, 0); }
  void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) {
    address_ = buffer;
    size_ = size;
    origin_ = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(buffer));
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor view = *this;
    view.address_ = GetPhyAddr(offset);
    view.size_ = size_ == 0 ? 0 : offset < size_ ? size_ - offset : 1;
    view.behind_ = size_ != 0 && offset >= size_;
    return view;
  }

  OPKIT_INLINE T GetValue(uint64_t index) const {
    return *detail::scalar_access(*this, index, OPK_SCALAR_READ);
  }
  OPKIT_INLINE void SetValue(uint64_t index, T value) const {
    *detail::scalar_access(*this, index, OPK_SCALAR_WRITE) = value;
  }
  OPKIT_INLINE T& operator()(uint64_t index) const {
    return *detail::scalar_access(*this, index, OPK_SCALAR_REFERENCE);
  }

  // Views the bytes as elements of another type; an element of which only a part is there does not
  // count.
  template <typename U>
  GlobalTensor<U> ReinterpretCast() const {
    using Element = typename GlobalTensor<U>::PrimType;
    GlobalTensor<U> other;
    other.address_ = reinterpret_cast<Element*>(address_);
    other.size_ = size_ == 0 ? 0 : detail::elements_in<Element>(detail::bytes_of<T>(size_));
    other.behind_ = behind_;
    other.bypass_l2_ = bypass_l2_;
    other.origin_ = origin_;
    other.shape_ = shape_;
    return other;
  }

  T* GetPhyAddr() const { return address_; }
  T* GetPhyAddr(uint64_t offset) const {
    return reinterpret_cast<T*>(reinterpret_cast<uint8_t*>(address_) +
                                detail::bytes_before<T>(offset));
  }
  uint64_t GetSize() const { return size_; }

  template <CacheRwMode rw = CacheRwMode::RW>
  // The timing model knows L2 as used or bypassed; the finer hints count as used.
  void SetL2CacheHint(CacheMode mode) {
    bypass_l2_ = mode == CacheMode::CACHE_MODE_DISABLE;
  }
  bool bypasses_l2() const { return bypass_l2_; }
  // Returns the lowest bits of the address that SetGlobalBuffer was given: by them a report knows
  // the tensor that a wild address was formed from.
  uint32_t origin() const { return origin_; }
  void SetShapeInfo(const ShapeInfo& info) { shape_ = info; }
  ShapeInfo GetShapeInfo() const { return shape_; }

  // Returns the bytes from the address to the end of the buffer, as far as SetGlobalBuffer told.
  uint64_t known_bytes() const {
    return size_ == 0 ? uint64_t{1} << 56 : behind_ ? 0 : detail::bytes_of<T>(size_);
  }

 private:
  template <typename U>
  friend class GlobalTensor;

  T* address_ = nullptr;
  bool bypass_l2_ = false;
  uint32_t origin_ = 0;
  uint64_t size_ = 0;  // elements; 0 = not told
  bool behind_ = false;
  ShapeInfo shape_;
};

namespace detail {

// Fills an operand where it stands. A temporary that is copied afterwards would be written field by
// field and read back as a whole, for which the host's store buffer makes it wait.
template <typename T>
OPKIT_INLINE void put(opk_operand& o, const LocalTensor<T>& tensor, uint32_t block_stride = 0,
                      uint32_t repeat_stride = 0) {
  o.address = tensor.pointer();
  o.bytes = tensor.address_.dataLen;
  o.block_stride = static_cast<uint16_t>(block_stride);
  o.repeat_stride = static_cast<uint16_t>(repeat_stride);
  o.dtype = dtype_of<T>();
  o.memory = memory_of(static_cast<TPosition>(tensor.address_.logicPos));
  o.buffer = tensor.address_.bufferHandle;
}

template <typename T>
OPKIT_INLINE void put(opk_operand& o, const GlobalTensor<T>& tensor) {
  o.address = tensor.GetPhyAddr();
  o.bytes = tensor.known_bytes();
  // Carries the origin in the strides, which nobody uses in GM.
  o.block_stride = static_cast<uint16_t>(tensor.origin());
  o.repeat_stride = static_cast<uint16_t>(tensor.origin() >> 16);
  o.dtype = dtype_of<T>();
  o.memory = OPK_MEM_GM;
  o.buffer = tensor.bypasses_l2();
}

template <typename Tensor>
OPKIT_INLINE opk_operand operand(const Tensor& tensor) {
  opk_operand o;
  put(o, tensor);
  return o;
}

template <typename T>
OPKIT_INLINE uint64_t limit_of(const LocalTensor<T>& tensor) {
  return tensor.GetSize();
}
template <typename T>
OPKIT_INLINE uint64_t limit_of(const GlobalTensor<T>& tensor) {
  return tensor.GetSize() == 0 ? 0 : elements_in<T>(tensor.known_bytes());
}

template <typename T>
OPKIT_INLINE T* element_of(const LocalTensor<T>& tensor, uint64_t index) {
  return tensor.pointer() + index;
}
template <typename T>
OPKIT_INLINE T* element_of(const GlobalTensor<T>& tensor, uint64_t index) {
  return tensor.GetPhyAddr() + index;
}

// The chip reads no size: the engine asks what memory is there.
template <typename T>
OPKIT_INLINE T* index_behind(const LocalTensor<T>& tensor, uint64_t index, opk_scalar_access how) {
  opk_operand where[2] = {operand(tensor), operand(tensor)};
  where[0].address = element_of(tensor, index);
  where[0].bytes = 0;
  core()->isa->scalar(core(), where, how);
  return element_of(tensor, index);
}
template <typename T>
OPKIT_INLINE T* index_behind(const GlobalTensor<T>& tensor, uint64_t index, opk_scalar_access how) {
  opk_operand where = operand(tensor);
  where.address = element_of(tensor, index);
  if (tensor.GetSize() != 0) where.bytes = 0;
  core()->isa->scalar(core(), &where, how);
  return static_cast<T*>(where.address);
}

template <typename Tensor>
OPKIT_INLINE typename Tensor::PrimType* scalar_access(const Tensor& tensor, uint64_t index,
                                                      opk_scalar_access how) {
  using T = typename Tensor::PrimType;
  static_assert(
      !std::is_same<T, int4b_t>::value,
      "GetValue and SetValue do not exist for int4b_t: use ReinterpretCast<int8_t>() and shift");
  if (__builtin_expect(index >= limit_of(tensor), 0)) return index_behind(tensor, index, how);
  if (__builtin_expect(core()->scalar_watch, 0)) {
    opk_operand where = operand(tensor);
    where.address = element_of(tensor, index);
    core()->isa->scalar(core(), &where, how);
    return static_cast<T*>(where.address);
  }
  return element_of(tensor, index);
}

}  // namespace detail

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_TENSOR_H_
