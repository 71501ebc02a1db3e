#include "opkit/reference/attribute_spec.h"

#include <utility>

namespace opkit::reference {
namespace {

using graph::Attribute;

template <typename T>
std::optional<Attribute> attribute_of(std::optional<T> value) {
  if (!value) return std::nullopt;
  return Attribute(std::move(*value));
}

}  // namespace

AttributeSpec integer(std::string_view name, std::optional<int64_t> otherwise) {
  return {name, AttributeKind::kInteger, attribute_of(otherwise)};
}

AttributeSpec number(std::string_view name, std::optional<double> otherwise) {
  return {name, AttributeKind::kNumber, attribute_of(otherwise)};
}

AttributeSpec text(std::string_view name, std::optional<std::string> otherwise) {
  return {name, AttributeKind::kText, attribute_of(std::move(otherwise))};
}

AttributeSpec integers(std::string_view name) { return {name, AttributeKind::kIntegers}; }

AttributeSpec required(AttributeSpec spec) {
  spec.required = true;
  return spec;
}

AttributeSpec until(int version, AttributeSpec spec) {
  spec.until = version;
  return spec;
}

const AttributeSpec* find_attribute(const AttributeSpecs& specs, std::string_view name, int opset) {
  for (const AttributeSpec& spec : specs) {
    if (spec.name == name && opset <= spec.until) return &spec;
  }
  return nullptr;
}

}  // namespace opkit::reference
