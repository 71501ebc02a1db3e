#include "opkit/reference/types.h"

namespace opkit::reference {

std::optional<DType> dtype_from_onnx(int64_t number) {
  switch (number) {
    case 1: return DType::kFloat32;
    case 2: return DType::kUInt8;
    case 3: return DType::kInt8;
    case 4: return DType::kUInt16;
    case 5: return DType::kInt16;
    case 6: return DType::kInt32;
    case 7: return DType::kInt64;
    case 9: return DType::kBool;
    case 10: return DType::kFloat16;
    case 11: return DType::kFloat64;
    case 12: return DType::kUInt32;
    case 13: return DType::kUInt64;
    case 16: return DType::kBFloat16;
    case 22: return DType::kInt4;
    default: return std::nullopt;
  }
}

Result<DType> type_attribute(const OperatorCall& call, std::string_view name, DType otherwise) {
  const Attribute* attribute = call.attribute(name);
  if (attribute == nullptr) return otherwise;
  if (const auto* text = std::get_if<std::string>(attribute)) {
    if (const auto dtype = dtype_from_name(*text)) return *dtype;
    return call.attribute_error("'" + *text + "' is no element type");
  }
  const int64_t number = std::get<int64_t>(*attribute);
  if (const auto dtype = dtype_from_onnx(number)) return *dtype;
  return call.not_implemented("ONNX element type " + std::to_string(number));
}

}  // namespace opkit::reference
