#include "opkit/rewrite/match/attribute_value.h"

#include <cmath>

namespace opkit::match {
namespace {

using graph::Attribute;
using graph::RefTensor;
using Integers = std::vector<int64_t>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

std::optional<Integers> whole(const Numbers& values) {
  Integers result;
  for (const double value : values) {
    if (value != std::floor(value) || std::abs(value) > 9007199254740992.0) return std::nullopt;
    result.push_back(static_cast<int64_t>(value));
  }
  return result;
}

std::optional<AttrValue> from_integer(AttrType type, int64_t value) {
  if (type == AttrType::kInt) return value;
  if (type == AttrType::kFloat) return static_cast<double>(value);
  if (type == AttrType::kBool && (value == 0 || value == 1)) return value == 1;
  return std::nullopt;
}

std::optional<AttrValue> from_integers(AttrType type, const Integers& values) {
  if (type == AttrType::kListInt) return values;
  if (type == AttrType::kListFloat) return Numbers(values.begin(), values.end());
  if (type != AttrType::kListBool) return std::nullopt;
  std::vector<bool> flags;
  for (const int64_t value : values) {
    if (value != 0 && value != 1) return std::nullopt;
    flags.push_back(value == 1);
  }
  return flags;
}

std::optional<AttrValue> from_numbers(AttrType type, const Numbers& values) {
  if (type == AttrType::kListFloat) return values;
  const auto integers = whole(values);
  return integers ? from_integers(type, *integers) : std::nullopt;
}

std::optional<AttrValue> from_number(AttrType type, double value) {
  if (type == AttrType::kFloat) return value;
  const auto integer = whole({value});
  return integer ? from_integer(type, integer->front()) : std::nullopt;
}

}  // namespace

std::optional<AttrValue> value_for(AttrType type, const Attribute& attribute) {
  if (const auto* integer = std::get_if<int64_t>(&attribute)) return from_integer(type, *integer);
  if (const auto* integers = std::get_if<Integers>(&attribute))
    return from_integers(type, *integers);
  if (const auto* number = std::get_if<double>(&attribute)) {
    return type == AttrType::kFloat ? std::optional<AttrValue>(*number) : std::nullopt;
  }
  if (const auto* numbers = std::get_if<Numbers>(&attribute)) {
    return type == AttrType::kListFloat ? std::optional<AttrValue>(*numbers) : std::nullopt;
  }
  if (const auto* text = std::get_if<std::string>(&attribute)) {
    return type == AttrType::kString ? std::optional<AttrValue>(*text) : std::nullopt;
  }
  if (const auto* texts = std::get_if<Texts>(&attribute)) {
    return type == AttrType::kListString ? std::optional<AttrValue>(*texts) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<AttrValue> value_for(AttrType type, const RefTensor& tensor) {
  if (is_list(type))
    return tensor.shape.rank() == 1 ? from_numbers(type, tensor.values) : std::nullopt;
  return tensor.elements() == 1 ? from_number(type, tensor.values[0]) : std::nullopt;
}

bool says(const AttrValue& literal, const Attribute& attribute) {
  const auto value = value_for(type_of(literal), attribute);
  return value && *value == literal;
}

std::string text_of(const Attribute& attribute) {
  for (const AttrType type : {AttrType::kInt, AttrType::kFloat, AttrType::kString,
                              AttrType::kListInt, AttrType::kListFloat, AttrType::kListString}) {
    if (const auto value = value_for(type, attribute)) return to_string(*value);
  }
  return "a tensor";
}

}  // namespace opkit::match
