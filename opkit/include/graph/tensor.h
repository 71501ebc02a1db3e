// ge::Shape, ge::TensorDesc, ge::Tensor: what graphs, and the tiling helpers of the advanced API,
// say of a tensor.
#ifndef OPKIT_INCLUDE_GRAPH_TENSOR_H_
#define OPKIT_INCLUDE_GRAPH_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

class Shape {
 public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  size_t GetDimNum() const { return dims_.size(); }
  // 0 beyond the last dim.
  int64_t GetDim(size_t i) const { return i < dims_.size() ? dims_[i] : 0; }
  graphStatus SetDim(size_t i, int64_t value) {
    if (i >= dims_.size()) return GRAPH_FAILED;
    dims_[i] = value;
    return GRAPH_SUCCESS;
  }
  const std::vector<int64_t>& GetDims() const { return dims_; }
  // Elements; 1 for a scalar, -1 with an unknown dim.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (int64_t dim : dims_) {
      if (dim < 0) return -1;
      size *= dim;
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

// Where a tensor's dims, format and element type are said.
class TensorDesc {
 public:
  TensorDesc() = default;
  explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT)
      : shape_(std::move(shape)), format_(format), type_(type) {}

  void Update(const Shape& shape, Format format = FORMAT_ND, DataType type = DT_FLOAT) {
    shape_ = shape;
    format_ = format;
    type_ = type;
  }
  Shape GetShape() const { return shape_; }
  graphStatus SetShape(const Shape& shape) { return shape_ = shape, GRAPH_SUCCESS; }
  Shape GetOriginShape() const { return origin_shape_; }
  void SetOriginShape(const Shape& shape) { origin_shape_ = shape; }
  Format GetFormat() const { return format_; }
  void SetFormat(Format format) { format_ = format; }
  Format GetOriginFormat() const { return origin_format_; }
  void SetOriginFormat(Format format) { origin_format_ = format; }
  DataType GetDataType() const { return type_; }
  void SetDataType(DataType type) { type_ = type; }
  void SetName(const char* name) { name_ = AscendString(name); }
  graphStatus GetName(AscendString& name) const { return name = name_, GRAPH_SUCCESS; }
  void SetSize(int64_t bytes) { bytes_ = bytes; }
  int64_t GetSize() const { return bytes_; }
  void SetRealDimCnt(int64_t count) { real_dims_ = count; }
  int64_t GetRealDimCnt() const { return real_dims_; }
  void SetPlacement(Placement placement) { placement_ = placement; }
  Placement GetPlacement() const { return placement_; }

 private:
  Shape shape_, origin_shape_;
  Format format_ = FORMAT_ND, origin_format_ = FORMAT_ND;
  DataType type_ = DT_FLOAT;
  AscendString name_;
  int64_t bytes_ = 0, real_dims_ = 0;
  Placement placement_ = kPlacementHost;
};

// A tensor with its elements, such as the weights of a Const.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(TensorDesc desc) : desc_(std::move(desc)) {}
  Tensor(TensorDesc desc, const std::vector<uint8_t>& bytes)
      : desc_(std::move(desc)), bytes_(bytes) {}
  Tensor(TensorDesc desc, const uint8_t* bytes, size_t size) : desc_(std::move(desc)) {
    SetData(bytes, size);
  }

  TensorDesc GetTensorDesc() const { return desc_; }
  graphStatus SetTensorDesc(const TensorDesc& desc) { return desc_ = desc, GRAPH_SUCCESS; }
  // nullptr: no elements.
  const uint8_t* GetData() const { return bytes_.empty() ? nullptr : bytes_.data(); }
  uint8_t* GetData() { return bytes_.empty() ? nullptr : bytes_.data(); }
  size_t GetSize() const { return bytes_.size(); }
  graphStatus SetData(std::vector<uint8_t>&& bytes) {
    return bytes_ = std::move(bytes), GRAPH_SUCCESS;
  }
  graphStatus SetData(const std::vector<uint8_t>& bytes) { return bytes_ = bytes, GRAPH_SUCCESS; }
  graphStatus SetData(const uint8_t* bytes, size_t size) {
    if (bytes == nullptr && size != 0) return GRAPH_PARAM_INVALID;
    bytes_.assign(bytes, bytes + size);
    return GRAPH_SUCCESS;
  }
  // Elements that are not described fully, or have another number of bytes, are not valid.
  graphStatus IsValid() const {
    const int64_t count = desc_.GetShape().GetShapeSize();
    const int64_t bytes = GetSizeInBytes(count, desc_.GetDataType());
    return bytes >= 0 && static_cast<size_t>(bytes) == bytes_.size() ? GRAPH_SUCCESS : GRAPH_FAILED;
  }
  Tensor Clone() const { return *this; }

 private:
  TensorDesc desc_;
  std::vector<uint8_t> bytes_;
};

}  // namespace ge

#endif  // OPKIT_INCLUDE_GRAPH_TENSOR_H_
