#include "opkit/rewrite/onnx/check_names.h"

#include <fmt/format.h>

#include "opkit/base/utf8.h"
#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {
namespace {

// Returns the bytes that are no ASCII text by their numbers: "weight\xff".
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text;
}

Status check_name(std::string_view of, const std::string& name) {
  if (is_utf8(name)) return {};
  return Error(kBadName, fmt::format("the name of {} '{}' is no UTF-8", of, escaped(name)),
               "rename it, and export the model again");
}

Status check_node(const onnx::NodeProto& node) {
  OPKIT_CHECK(check_name("node", node.name()));
  OPKIT_CHECK(check_name("operator", node.op_type()));
  OPKIT_CHECK(check_name("domain", node.domain()));
  for (const std::string& name : node.input()) OPKIT_CHECK(check_name("tensor", name));
  for (const std::string& name : node.output()) OPKIT_CHECK(check_name("tensor", name));
  for (const auto& attribute : node.attribute()) {
    OPKIT_CHECK(check_name("attribute", attribute.name()));
    if (attribute.has_g()) OPKIT_CHECK(check_names(attribute.g()));
  }
  return {};
}

}  // namespace

Status check_names(const onnx::GraphProto& graph) {
  OPKIT_CHECK(check_name("graph", graph.name()));
  for (const auto& tensor : graph.initializer()) OPKIT_CHECK(check_name("tensor", tensor.name()));
  for (const auto& input : graph.input()) OPKIT_CHECK(check_name("tensor", input.name()));
  for (const auto& output : graph.output()) OPKIT_CHECK(check_name("tensor", output.name()));
  for (const auto& node : graph.node()) OPKIT_CHECK(check_node(node));
  return {};
}

}  // namespace opkit::onnx_frontend
