// Small helpers that sources of the public operator repositories take from their shared base
// (namespace Ops::Base): arithmetic, texts, shapes, inference of element-wise and broadcasting ops.
#ifndef OPKIT_HOST_REPOSITORY_HELPERS_H_
#define OPKIT_HOST_REPOSITORY_HELPERS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "graph/utils/type_utils.h"
#include "opkit_host/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops {
namespace Base {

// Quotient rounded up or down; a divisor of 0 gives the dividend.
template <typename T, typename U>
constexpr std::common_type_t<T, U> CeilDiv(T a, U b) {
  return b == 0 ? a : (a / b + (a % b != 0 ? 1 : 0));
}
template <typename T, typename U>
constexpr std::common_type_t<T, U> FloorDiv(T a, U b) {
  return b == 0 ? a : a / b;
}
// Multiple of `unit`; a unit of 0 gives 0.
template <typename T, typename U>
constexpr std::common_type_t<T, U> CeilAlign(T a, U unit) {
  return unit == 0 ? 0 : CeilDiv(a, unit) * unit;
}
template <typename T, typename U>
constexpr std::common_type_t<T, U> FloorAlign(T a, U unit) {
  return unit == 0 ? 0 : a / unit * unit;
}

inline std::string ToString(const gert::Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    text += (i ? ", " : "") + std::to_string(shape.GetDim(i));
  }
  return text + "]";
}
inline std::string ToString(ge::DataType type) {
  return ge::TypeUtils::DataTypeToSerialString(type);
}
inline std::string ToString(ge::Format format) {
  return ge::TypeUtils::FormatToSerialString(format);
}
template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
std::string ToString(const std::vector<T>& values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

// Returns a scalar as the shape [1].
inline const gert::Shape& EnsureNotScalar(const gert::Shape& shape) {
  static const gert::Shape one = {1};
  return shape.IsScalar() ? one : shape;
}
inline bool IsUnknownRank(const gert::Shape& shape) {
  return shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM;
}
inline void SetUnknownRank(gert::Shape& shape) { shape = gert::Shape{ge::UNKNOWN_DIM_NUM}; }
inline bool IsUnknownShape(const gert::Shape& shape) {
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    if (shape.GetDim(i) == ge::UNKNOWN_DIM) return true;
  }
  return false;
}
inline void SetUnknownShape(size_t rank, gert::Shape& shape) {
  shape.SetDimNum(rank);
  for (size_t i = 0; i < rank; ++i) shape.SetDim(i, ge::UNKNOWN_DIM);
}

// Returns the bytes of a UB block, on every chip.
template <typename Context>
uint32_t GetUbBlockSize(Context*) {
  return 32;
}
// Returns the bytes of a vector register, 0 where kernels see none.
template <typename Context>
uint32_t GetVRegSize(Context* context) {
  return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetVecRegLen();
}

// The value of a one-element integer input; false when the host does not know it.
template <typename Context, typename T>
bool GetConstInt(Context* context, size_t index, T& value) {
  const gert::Tensor* tensor = context->GetInputTensor(index);
  if (tensor == nullptr || tensor->GetAddr() == nullptr) return false;
  if (tensor->GetDataType() == ge::DT_INT32) return value = *tensor->GetData<int32_t>(), true;
  if (tensor->GetDataType() == ge::DT_INT64) return value = *tensor->GetData<int64_t>(), true;
  return false;
}
// The values of an integer input as dims; false when the host does not know them.
template <typename Context>
bool GetConstIntToShape(Context* context, size_t index, gert::Shape& shape) {
  const gert::Tensor* tensor = context->GetInputTensor(index);
  if (tensor == nullptr || tensor->GetAddr() == nullptr) return false;
  const bool narrow = tensor->GetDataType() == ge::DT_INT32;
  if (!narrow && tensor->GetDataType() != ge::DT_INT64) return false;
  const int64_t count = tensor->GetShapeSize();
  if (count < 0 || count > static_cast<int64_t>(gert::Shape::kMaxDimNum)) return false;
  shape.SetDimNum(0);
  for (int64_t i = 0; i < count; ++i) {
    shape.AppendDim(narrow ? tensor->GetData<int32_t>()[i] : tensor->GetData<int64_t>()[i]);
  }
  return true;
}

// Output 0 has the shape of input 0.
inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext* context) {
  const gert::Shape* input = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, input);
  gert::Shape* output = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, output);
  *output = *input;
  return ge::GRAPH_SUCCESS;
}

// Returns one dim of a broadcast: 1 gives way, a known dim beats an unknown one; -3 when they
// differ.
inline int64_t broadcast_dim(int64_t a, int64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  if (a == ge::UNKNOWN_DIM) return b;
  return b == ge::UNKNOWN_DIM ? a : -3;
}

// `shape` becomes its broadcast with `other`; false when they do not fit.
inline bool BroadcastShape(const gert::Shape& other, gert::Shape& shape) {
  if (IsUnknownRank(shape) || IsUnknownRank(other)) return SetUnknownRank(shape), true;
  const size_t rank = std::max(shape.GetDimNum(), other.GetDimNum());
  gert::Shape result;
  for (size_t i = 0; i < rank; ++i) {
    const size_t skip_a = rank - shape.GetDimNum(), skip_b = rank - other.GetDimNum();
    const int64_t a = i < skip_a ? 1 : shape.GetDim(i - skip_a);
    const int64_t b = i < skip_b ? 1 : other.GetDim(i - skip_b);
    const int64_t dim = broadcast_dim(a, b);
    if (dim == -3) return false;
    result.AppendDim(dim);
  }
  shape = result;
  return true;
}

// Output 0 is the broadcast of the first `count` inputs.
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context, size_t count) {
  gert::Shape* output = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, output);
  for (size_t i = 0; i < count; ++i) {
    const gert::Shape* input = context->GetInputShape(i);
    OP_CHECK_NULL_WITH_CONTEXT(context, input);
    if (i == 0) {
      *output = *input;
    } else if (!BroadcastShape(*input, *output)) {
      OP_LOGE(context, "the shapes %s and %s do not broadcast", ToString(*output).c_str(),
              ToString(*input).c_str());
      return ge::GRAPH_FAILED;
    }
  }
  return ge::GRAPH_SUCCESS;
}

inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context) {
  return InferShape4Broadcast(context, 2);
}

}  // namespace Base

// Names the helpers as repositories of transformer ops do.
namespace Transformer {
using namespace Base;
namespace OpTiling {
using namespace Base;
}
}  // namespace Transformer
}  // namespace Ops

#endif  // OPKIT_HOST_REPOSITORY_HELPERS_H_
