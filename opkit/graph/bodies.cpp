#include "opkit/graph/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "opkit/graph/node_name.h"
#include "opkit/graph/tensor_fields.h"

namespace opkit::graph {
namespace {

// Holds what the bytes say of a node, of a value and of a graph.
struct StoredNode {
  Node node;
};
struct StoredValue {
  DType dtype = DType::kUndefined;
  std::optional<std::vector<int64_t>> dims;
  Format format = Format::kND;
  std::optional<RefTensor> constant;
};
struct StoredGraph {
  std::string name;
  int32_t opset = kDefaultOpset;
  std::vector<std::string> inputs, outputs;
  std::vector<StoredNode> nodes;
  std::map<std::string, StoredValue> values;
};

template <typename Archive>
void fields(Archive& archive, StoredNode& stored) {
  Node& node = stored.node;
  archive(node.op_type, node.inputs, node.outputs, node.attributes, node.name);
}

template <typename Archive>
void fields(Archive& archive, StoredValue& value) {
  archive.number(value.dtype);
  archive(value.dims);
  archive.number(value.format);
  archive(value.constant);
}

template <typename Archive>
void fields(Archive& archive, StoredGraph& graph) {
  archive(graph.name, graph.opset, graph.inputs, graph.outputs, graph.nodes, graph.values);
}

StoredValue stored(const ValueInfo& value) {
  StoredValue stored{value.dtype, {}, value.format, {}};
  if (value.shape) stored.dims = value.shape->dims();
  if (value.constant) stored.constant = *value.constant;
  return stored;
}

ValueInfo value_of(StoredValue stored) {
  ValueInfo value{stored.dtype, {}, stored.format, nullptr};
  if (stored.dims) value.shape = Shape(std::move(*stored.dims));
  if (stored.constant)
    value.constant = std::make_shared<const RefTensor>(std::move(*stored.constant));
  return value;
}

bool is_dtype(DType dtype) {
  const auto all = all_dtypes();
  return dtype == DType::kUndefined || std::find(all.begin(), all.end(), dtype) != all.end();
}

bool is_known(const StoredValue& value) {
  return is_dtype(value.dtype) && (!value.constant || is_dtype(value.constant->dtype));
}

Error no_body(const Node& node, const std::string& attribute, const std::string& why) {
  return Error(
             kBadBody,
             fmt::format("attribute '{}' of {} holds no graph: {}", attribute, name_of(node), why),
             "give the node its bodies, and compile the model again")
      .of(node.op_type);
}

}  // namespace

bool has_bodies(std::string_view op_type) { return !bodies_of(op_type).empty(); }

const std::vector<std::string>& bodies_of(std::string_view op_type) {
  static const std::vector<std::string> kNone, kOne = {"body"},
                                               kBranches = {"then_branch", "else_branch"};
  if (op_type == "If") return kBranches;
  return op_type == "Loop" || op_type == "Scan" ? kOne : kNone;
}

void set_body(Node& node, const std::string& attribute, const Graph& body) {
  StoredGraph all{body.name, body.opset, body.inputs, body.outputs, {}, {}};
  for (const Node& one : body.nodes) all.nodes.push_back({one});
  for (const auto& [name, value] : body.values) all.values.emplace(name, stored(value));
  node.attributes[attribute] = wire::written(all);
}

Result<Graph> body_of(const Node& node, const std::string& attribute) {
  const auto found = node.attributes.find(attribute);
  if (found == node.attributes.end()) return no_body(node, attribute, "it is missing");
  const auto* bytes = std::get_if<std::string>(&found->second);
  if (bytes == nullptr) return no_body(node, attribute, "it is no text");
  StoredGraph all;
  wire::Reader reader(*bytes);
  reader(all);
  if (!reader.done()) return no_body(node, attribute, reader.why());
  Graph body;
  body.name = std::move(all.name);
  body.opset = all.opset;
  body.inputs = std::move(all.inputs);
  body.outputs = std::move(all.outputs);
  for (StoredNode& one : all.nodes) body.nodes.push_back(std::move(one.node));
  for (auto& [name, value] : all.values) {
    if (!is_known(value)) return no_body(node, attribute, "a value of no known dtype");
    body.values.emplace(name, value_of(std::move(value)));
  }
  return body;
}

size_t captured_inputs(const Node& node) {
  const auto found = node.attributes.find(kCaptured);
  const auto* count =
      found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  if (count == nullptr || *count < 0) return 0;
  return std::min(static_cast<size_t>(*count), node.inputs.size());
}

size_t own_inputs(const Node& node) { return node.inputs.size() - captured_inputs(node); }

size_t nodes_with_bodies(const Graph& graph) {
  size_t count = graph.nodes.size();
  for (const Node& node : graph.nodes) {
    for (const std::string& attribute : bodies_of(node.op_type)) {
      const auto body = body_of(node, attribute);
      if (body.ok()) count += nodes_with_bodies(*body);
    }
  }
  return count;
}

}  // namespace opkit::graph
