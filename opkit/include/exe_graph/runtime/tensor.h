// gert::Tensor: a shape, a type, a format and (for value-dependent inputs) the host bytes.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"

namespace gert {

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kTensorPlacementEnd };

class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type,
         const void* data)
      : shape_(shape), format_(format), type_(type), data_(data) {}

  Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type)
      : Tensor(shape, format, type, nullptr) {}

  // Elements as the bytes lie.
  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
  // Bytes.
  size_t GetSize() const {
    const int64_t bytes = ge::GetSizeInBytes(GetShapeSize(), type_);
    return bytes > 0 ? static_cast<size_t>(bytes) : 0;
  }
  // nullptr when the value is not known to the host.
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(data_);
  }
  const void* GetAddr() const { return data_; }

  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
  StorageFormat& MutableFormat() { return format_; }
  void SetDataType(ge::DataType type) { type_ = type; }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }

  ge::DataType GetDataType() const { return type_; }
  const StorageShape& GetShape() const { return shape_; }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  TensorPlacement GetPlacement() const { return data_ != nullptr ? kOnHost : kOnDeviceHbm; }

 private:
  StorageShape shape_;
  StorageFormat format_;
  ge::DataType type_ = ge::DT_UNDEFINED;
  const void* data_ = nullptr;  // the host's
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_TENSOR_H_
