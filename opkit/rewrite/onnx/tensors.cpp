#include "opkit/rewrite/onnx/tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/base/byte_count.h"
#include "opkit/reference/tensor.h"
#include "opkit/reference/types.h"
#include "opkit/rewrite/onnx/external_data.h"
#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {
namespace {

Error bad_data(std::string what) {
  return Error(kBadTensor, std::move(what), "export the model again");
}

// Returns how many entries the field has in which a tensor of that dtype keeps its elements.
int field_size(const onnx::TensorProto& proto, DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return proto.float_data_size();
    case DType::kFloat64: return proto.double_data_size();
    case DType::kInt64: return proto.int64_data_size();
    case DType::kUInt32:
    case DType::kUInt64: return proto.uint64_data_size();
    default: return proto.int32_data_size();
  }
}

// Small types lie in wider fields, float16 and bfloat16 as bits.
void copy_fields(const onnx::TensorProto& proto, Tensor& out) {
  const auto copy = [&](const auto& field, auto convert) {
    for (int i = 0; i < field.size(); ++i) convert(i, field.Get(i));
  };
  switch (out.dtype()) {
    case DType::kFloat32: return copy(proto.float_data(), [&](int i, float v) { out.set(i, v); });
    case DType::kFloat64: return copy(proto.double_data(), [&](int i, double v) { out.set(i, v); });
    case DType::kInt64:
      return copy(proto.int64_data(), [&](int i, int64_t v) { out.as<int64_t>()[i] = v; });
    case DType::kUInt32:
      return copy(proto.uint64_data(),
                  [&](int i, uint64_t v) { out.as<uint32_t>()[i] = static_cast<uint32_t>(v); });
    case DType::kUInt64:
      return copy(proto.uint64_data(), [&](int i, uint64_t v) { out.as<uint64_t>()[i] = v; });
    case DType::kFloat16:
    case DType::kBFloat16:
      return copy(proto.int32_data(),
                  [&](int i, int32_t v) { out.as<uint16_t>()[i] = static_cast<uint16_t>(v); });
    default: return copy(proto.int32_data(), [&](int i, int32_t v) { out.set(i, v); });
  }
}

// Checks how many bytes or values there are, as far as the file says; nothing of that size is
// allocated.
Status check_size(const onnx::TensorProto& proto, const std::filesystem::path& folder, DType dtype,
                  const Shape& shape) {
  const auto bytes = byte_count(dtype, shape);
  if (!bytes)
    return bad_data(fmt::format("tensor '{}' of {}{} {}", proto.name(), name_of(dtype),
                                shape.to_string(), why_uncounted(shape)));
  const auto misfit = [&](size_t got, const char* unit) {
    return bad_data(fmt::format("tensor '{}' of {}{} holds {} {}", proto.name(), name_of(dtype),
                                shape.to_string(), got, unit));
  };
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return check_external(proto, folder, *bytes);
  if (proto.has_raw_data()) {
    const size_t there = proto.raw_data().size();
    return there == *bytes ? Status() : misfit(there, "bytes");
  }
  const int there = field_size(proto, dtype);
  return shape.elements() == there ? Status() : misfit(static_cast<size_t>(there), "values");
}

// Tells whether an element had to be moved to +-2^53, which only bounds of a Slice may be.
bool confine_integers(Tensor& tensor) {
  if (tensor.dtype() != DType::kInt64) return false;
  constexpr int64_t kLimit = (int64_t{1} << 53) - 1;
  bool moved = false;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    int64_t& value = tensor.as<int64_t>()[i];
    moved = moved || value > kLimit || value < -kLimit;
    value = std::clamp(value, -kLimit, kLimit);
  }
  return moved;
}

}  // namespace

Result<Tensor> stored_tensor(const onnx::TensorProto& proto, const std::filesystem::path& folder) {
  const auto dtype = reference::dtype_from_onnx(proto.data_type());
  if (!dtype)
    return Error(kUnsupported,
                 fmt::format("tensor '{}' has the ONNX element type {}", proto.name(),
                             element_type_text(proto.data_type())),
                 "use float, integer or bool tensors");
  const Shape shape(std::vector<int64_t>(proto.dims().begin(), proto.dims().end()));
  OPKIT_CHECK(check_size(proto, folder, *dtype, shape));
  Tensor tensor(*dtype, shape, proto.name());
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    auto* bytes = reinterpret_cast<std::byte*>(tensor.data());
    OPKIT_CHECK(read_external(proto, folder, {bytes, tensor.size_bytes()}));
  } else if (proto.has_raw_data()) {
    std::memcpy(tensor.data(), proto.raw_data().data(), proto.raw_data().size());
  } else {
    copy_fields(proto, tensor);
  }
  return tensor;
}

Result<Constant> constant_of(const onnx::TensorProto& proto, const std::filesystem::path& folder) {
  OPKIT_TRY(Tensor stored, stored_tensor(proto, folder));
  Constant constant;
  constant.confined = confine_integers(stored);
  auto tensor = reference::from_tensor(stored);
  if (!tensor.ok()) return std::move(tensor).error().with("tensor " + proto.name());
  constant.tensor = std::move(tensor).value();
  return constant;
}

std::string element_type_text(int64_t number) {
  const auto type = static_cast<int>(number);
  if (number != type || !onnx::TensorProto::DataType_IsValid(type)) return std::to_string(number);
  return fmt::format(
      "{} ({})", onnx::TensorProto::DataType_Name(static_cast<onnx::TensorProto::DataType>(type)),
      number);
}

}  // namespace opkit::onnx_frontend
