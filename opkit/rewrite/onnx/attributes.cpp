#include "opkit/rewrite/onnx/attributes.h"

#include <fmt/format.h>

#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/tensors.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Attribute;

template <typename T, typename Field>
std::vector<T> list(const Field& field) {
  return std::vector<T>(field.begin(), field.end());
}

// Returns a quarter of a sentence for every kind that a graph cannot hold.
Error unsupported_attribute(const onnx::AttributeProto& proto) {
  const bool graph =
      proto.type() == onnx::AttributeProto::GRAPH || proto.type() == onnx::AttributeProto::GRAPHS;
  return unsupported(
      fmt::format("attribute '{}' holds {}", proto.name(),
                  graph ? "a subgraph" : "a value of a kind that opkit has not"),
      graph ? "export the model without control flow" : "export the model otherwise");
}

Result<Attribute> attribute_of(const onnx::AttributeProto& proto) {
  switch (proto.type()) {
    case onnx::AttributeProto::INT: return Attribute(int64_t{proto.i()});
    case onnx::AttributeProto::FLOAT: return Attribute(static_cast<double>(proto.f()));
    case onnx::AttributeProto::STRING: return Attribute(proto.s());
    case onnx::AttributeProto::INTS: return Attribute(list<int64_t>(proto.ints()));
    case onnx::AttributeProto::FLOATS: return Attribute(list<double>(proto.floats()));
    case onnx::AttributeProto::STRINGS: return Attribute(list<std::string>(proto.strings()));
    case onnx::AttributeProto::TENSOR: {
      OPKIT_TRY(Constant constant, constant_of(proto.t(), {}));
      if (constant.confined)
        return bad_tensor(fmt::format("attribute '{}' has an integer beyond 2^53", proto.name()));
      return Attribute(std::move(constant.tensor));
    }
    default: return unsupported_attribute(proto);
  }
}

}  // namespace

Result<std::map<std::string, Attribute>> attributes_of(const onnx::NodeProto& node) {
  std::map<std::string, Attribute> attributes;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    OPKIT_TRY(Attribute value, attribute_of(attribute));
    attributes.emplace(attribute.name(), std::move(value));
  }
  return attributes;
}

}  // namespace opkit::onnx_frontend
