// AttributeSpec: what an operator says of one of its attributes.
#ifndef OPKIT_REFERENCE_ATTRIBUTE_SPEC_H_
#define OPKIT_REFERENCE_ATTRIBUTE_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::reference {

enum class AttributeKind { kInteger, kNumber, kText, kIntegers, kNumbers, kTexts, kTensor, kType };

// kType is an element type: ONNX's number for it or opkit's name ("float16").
struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  // The value of a node that does not state it. Absent when there is none, or when it depends on
  // the version or on the inputs.
  std::optional<graph::Attribute> otherwise = {};
  bool required = false;
  int until = 1000;  // the last version that has it
};

AttributeSpec integer(std::string_view name, std::optional<int64_t> otherwise = {});
AttributeSpec number(std::string_view name, std::optional<double> otherwise = {});
AttributeSpec text(std::string_view name, std::optional<std::string> otherwise = {});
AttributeSpec integers(std::string_view name);
AttributeSpec required(AttributeSpec spec);
AttributeSpec until(int version, AttributeSpec spec);

using AttributeSpecs = std::vector<AttributeSpec>;

// Returns the attribute of that name in that version; null when there is none.
const AttributeSpec* find_attribute(const AttributeSpecs& specs, std::string_view name, int opset);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_ATTRIBUTE_SPEC_H_
