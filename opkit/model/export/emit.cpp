#include "opkit/model/export/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/model/export/codes.h"

namespace opkit::model_export {
namespace {

template <typename Type>
const Type* attribute_of(const graph::Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : std::get_if<Type>(&found->second);
}

bool is_real(const Variable& variable) {
  return variable.absent() || c_type(variable.dtype) == "float";
}

}  // namespace

int64_t NodeSource::integer(const std::string& name, int64_t otherwise) const {
  const int64_t* value = attribute_of<int64_t>(node_, name);
  return value == nullptr ? otherwise : *value;
}

double NodeSource::number(const std::string& name, double otherwise) const {
  const double* value = attribute_of<double>(node_, name);
  if (value == nullptr && attribute_of<int64_t>(node_, name) != nullptr)
    return static_cast<double>(*attribute_of<int64_t>(node_, name));
  return value == nullptr ? otherwise : *value;
}

std::string NodeSource::text(const std::string& name, const std::string& otherwise) const {
  const std::string* value = attribute_of<std::string>(node_, name);
  return value == nullptr ? otherwise : *value;
}

std::vector<int64_t> NodeSource::integers(const std::string& name,
                                          std::vector<int64_t> otherwise) const {
  const auto* value = attribute_of<std::vector<int64_t>>(node_, name);
  return value == nullptr ? otherwise : *value;
}

size_t NodeSource::axis(int64_t otherwise, size_t rank) const {
  const int64_t axis = integer("axis", otherwise);
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

Result<std::vector<int64_t>> NodeSource::constant_integers(size_t i) const {
  if (in(i).constant == nullptr) return refused("an operand depends on data");
  const auto& values = in(i).constant->values;
  return std::vector<int64_t>(values.begin(), values.end());
}

Error NodeSource::refused(const std::string& why) const {
  return Error(kCannotExport, fmt::format("{} ({}): {}", op(), node_.name, why),
               "compile the model without it");
}

Status NodeSource::check_floats() const {
  if (std::all_of(in_.begin(), in_.end(), is_real) &&
      std::all_of(out_.begin(), out_.end(), is_real))
    return {};
  return refused("it has operands that are no floats");
}

Status NodeSource::check_floats_of_data() const {
  return is_real(in()) ? Status() : refused("it has operands that are no floats");
}

EmitSource source_of(std::string_view op) {
  static const std::map<std::string_view, EmitSource> kAll = [] {
    std::map<std::string_view, EmitSource> all;
    for (const auto* family : {&elementwise_sources(), &arrange_sources(), &product_sources(),
                               &window_sources(), &row_sources()}) {
      for (const OperatorSource& one : *family) all.emplace(one.op, one.emit);
    }
    return all;
  }();
  const auto found = kAll.find(op);
  return found == kAll.end() ? nullptr : found->second;
}

bool is_same_elements(std::string_view op) {
  for (const std::string_view one :
       {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Dropout"}) {
    if (op == one) return true;
  }
  return false;
}

std::string c_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kFloat32: return "float";
    case DType::kInt64: return "int64_t";
    case DType::kInt32: return "int32_t";
    case DType::kInt8: return "int8_t";
    case DType::kUInt8: return "uint8_t";
    case DType::kBool: return "bool";
    default: return "";
  }
}

std::string float_code(double value) {
  if (std::isnan(value)) return "std::numeric_limits<float>::quiet_NaN()";
  if (std::isinf(value) || std::isinf(static_cast<float>(value)))
    return value > 0 ? "kInfinity" : "-kInfinity";
  std::string text = fmt::format("{:.9g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

}  // namespace opkit::model_export
