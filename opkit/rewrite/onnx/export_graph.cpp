#include "opkit/rewrite/onnx/export_graph.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>

#include "opkit/base/tensor.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/check_node.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/onnx/write_model.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Attribute;
using graph::Graph;
using graph::Node;
using graph::RefTensor;

Status fill(const RefTensor& tensor, onnx::TensorProto& proto) {
  OPKIT_TRY(const Tensor stored, reference::to_tensor(tensor));
  proto.set_data_type(onnx_type(tensor.dtype));
  for (const int64_t dim : tensor.shape.dims()) proto.add_dims(dim);
  proto.set_raw_data(stored.data(), stored.size_bytes());
  return {};
}

struct Fill {
  onnx::AttributeProto& proto;

  Status operator()(int64_t value) const {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
    return {};
  }
  Status operator()(double value) const {
    proto.set_type(onnx::AttributeProto::FLOAT);
    proto.set_f(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::string& value) const {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(value);
    return {};
  }
  Status operator()(const std::vector<int64_t>& values) const {
    proto.set_type(onnx::AttributeProto::INTS);
    for (const int64_t value : values) proto.add_ints(value);
    return {};
  }
  Status operator()(const std::vector<double>& values) const {
    proto.set_type(onnx::AttributeProto::FLOATS);
    for (const double value : values) proto.add_floats(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::vector<std::string>& values) const {
    proto.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& value : values) proto.add_strings(value);
    return {};
  }
  Status operator()(const RefTensor& value) const {
    proto.set_type(onnx::AttributeProto::TENSOR);
    return fill(value, *proto.mutable_t());
  }
};

void describe(const Graph& graph, const std::string& name, onnx::ValueInfoProto& info) {
  info.set_name(name);
  const auto known = graph.values.find(name);
  if (known == graph.values.end() || known->second.dtype == DType::kUndefined) return;
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_type(known->second.dtype));
  if (!known->second.shape) return;
  auto& shape = *type.mutable_shape();
  for (const int64_t dim : known->second.shape->dims()) {
    auto& one = *shape.add_dim();
    if (dim != kUnknownDim) one.set_dim_value(dim);
  }
}

Status write_graph(const Graph& graph, size_t inputs, onnx::GraphProto& proto);

// The body, which reads values of the graph around it under its names: under its own ones they are
// Identity.
Status write_body(const Node& node, const std::string& attribute, onnx::AttributeProto& proto) {
  OPKIT_TRY(Graph body, graph::body_of(node, attribute));
  const size_t own = body.inputs.size() - graph::captured_inputs(node);
  std::vector<Node> named;
  for (size_t i = own; i < body.inputs.size(); ++i) {
    const std::string& outer = node.inputs[graph::own_inputs(node) + i - own];
    if (outer != body.inputs[i]) named.push_back({"Identity", {outer}, {body.inputs[i]}, {}});
  }
  body.nodes.insert(body.nodes.begin(), named.begin(), named.end());
  proto.set_name(attribute);
  proto.set_type(onnx::AttributeProto::GRAPH);
  return write_graph(body, own, *proto.mutable_g());
}

bool is_own(const std::string& attribute) { return attribute.starts_with("opkit:"); }

Status write_attribute(const Node& node, const std::string& name, const Attribute& value,
                       onnx::AttributeProto& proto) {
  proto.set_name(name);
  const auto* target = std::get_if<std::string>(&value);
  if (node.op_type == "Cast" && name == "to" && target != nullptr) {
    const auto dtype = dtype_from_name(*target);
    return Fill{proto}(int64_t{onnx_type(dtype ? *dtype : DType::kFloat32)});
  }
  return std::visit(Fill{proto}, value);
}

Status write_node(const Node& node, onnx::NodeProto& proto) {
  proto.set_op_type(node.op_type);
  proto.set_name(graph::name_of(node));
  const bool bodies = graph::has_bodies(node.op_type);
  const size_t inputs = bodies ? graph::own_inputs(node) : node.inputs.size();
  for (size_t i = 0; i < inputs; ++i) proto.add_input(node.inputs[i]);
  for (const std::string& output : node.outputs) proto.add_output(output);
  const std::vector<std::string> within =
      bodies ? graph::bodies_of(node.op_type) : std::vector<std::string>();
  for (const auto& [name, value] : node.attributes) {
    if (is_own(name)) continue;
    onnx::AttributeProto& attribute = *proto.add_attribute();
    const bool body = std::find(within.begin(), within.end(), name) != within.end();
    OPKIT_CHECK(body ? write_body(node, name, attribute)
                     : write_attribute(node, name, value, attribute));
  }
  if (!reference::operator_of(node).ok()) proto.set_domain(kOwnDomain);
  return {};
}

// The first `inputs` of the graph's inputs; others are known outside.
Status write_graph(const Graph& graph, size_t inputs, onnx::GraphProto& proto) {
  proto.set_name(graph.name.empty() ? "graph" : graph.name);
  for (size_t i = 0; i < inputs; ++i) describe(graph, graph.inputs[i], *proto.add_input());
  for (const std::string& name : graph.outputs) describe(graph, name, *proto.add_output());
  for (const auto& [name, value] : graph.values) {
    if (!value.constant) continue;
    onnx::TensorProto& tensor = *proto.add_initializer();
    tensor.set_name(name);
    OPKIT_CHECK(fill(*value.constant, tensor));
  }
  const std::set<std::string> ends(graph.outputs.begin(), graph.outputs.end());
  for (const Node& node : graph.nodes) {
    OPKIT_CHECK(write_node(node, *proto.add_node()));
    for (const std::string& output : node.outputs) {
      if (!output.empty() && ends.count(output) == 0)
        describe(graph, output, *proto.add_value_info());
    }
  }
  return {};
}

std::string text_of(const Attribute& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.4g}", *number);
  if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : "";
}

std::string description(const FusedRegion& region) {
  std::string text = region.op;
  for (const auto& [name, value] : region.notes) text += "; " + name + ": " + text_of(value);
  return text;
}

// Returns a region's nodes as one: what they read of others, and what others read of them.
Node joined(const Graph& graph, const FusedRegion& region, const std::string& name) {
  std::set<std::string> own, read_outside(graph.outputs.begin(), graph.outputs.end());
  const std::set<size_t> inside(region.nodes.begin(), region.nodes.end());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (inside.count(n) > 0) {
      own.insert(node.outputs.begin(), node.outputs.end());
    } else {
      read_outside.insert(node.inputs.begin(), node.inputs.end());
    }
  }
  Node one{name, {}, {}, region.notes};
  std::set<std::string> taken = {""};
  for (const size_t n : inside) {
    for (const std::string& input : graph.nodes[n].inputs) {
      if (own.count(input) == 0 && taken.insert(input).second) one.inputs.push_back(input);
    }
    for (const std::string& output : graph.nodes[n].outputs) {
      if (!output.empty() && read_outside.count(output) > 0) one.outputs.push_back(output);
    }
    one.name += (one.name.empty() ? "" : "+") + graph::name_of(graph.nodes[n]);
  }
  return one;
}

void import_operators(int opset, google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& to) {
  to.Add()->set_version(opset);
  auto& own = *to.Add();
  own.set_domain(kOwnDomain);
  own.set_version(1);
}

Status write_function(const Graph& graph, const FusedRegion& region, const Node& call,
                      onnx::FunctionProto& proto) {
  proto.set_name(call.op_type);
  proto.set_domain(kOwnDomain);
  proto.set_doc_string(description(region));
  for (const std::string& input : call.inputs) proto.add_input(input);
  for (const std::string& output : call.outputs) proto.add_output(output);
  for (const auto& [name, value] : call.attributes) proto.add_attribute(name);
  import_operators(graph.opset, *proto.mutable_opset_import());
  for (const size_t n : std::set<size_t>(region.nodes.begin(), region.nodes.end()))
    OPKIT_CHECK(write_node(graph.nodes[n], *proto.add_node()));
  return {};
}

}  // namespace

Result<std::string> onnx_file(const Graph& graph, const std::vector<FusedRegion>& regions) {
  constexpr int kFunctions = 8, kNewest = 10, kLastOfFunctions = 20;  // versions of the format
  onnx::ModelProto model;
  model.set_ir_version(graph.opset > kLastOfFunctions ? kNewest : kFunctions);
  model.set_producer_name("opkit");
  import_operators(graph.opset, *model.mutable_opset_import());
  Graph outer = graph;
  std::vector<bool> gone(graph.nodes.size());
  std::map<std::string, std::string> told;  // holds the text of single nodes, by first result
  for (const FusedRegion& region : regions) {
    if (region.nodes.size() == 1) {
      told[graph.nodes[region.nodes[0]].outputs[0]] = description(region);
      continue;
    }
    const Node call =
        joined(graph, region, fmt::format("{}_{}", region.op, model.functions_size() + 1));
    for (const size_t n : region.nodes) gone[n] = true;
    outer.nodes.push_back(call);
    OPKIT_CHECK(write_function(graph, region, call, *model.add_functions()));
  }
  std::vector<Node> kept;
  for (size_t n = 0; n < outer.nodes.size(); ++n) {
    if (n >= gone.size() || !gone[n]) kept.push_back(std::move(outer.nodes[n]));
  }
  outer.nodes = std::move(kept);
  OPKIT_CHECK(graph::sort_nodes(outer));
  OPKIT_CHECK(write_graph(outer, outer.inputs.size(), *model.mutable_graph()));
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    const auto found = node.output_size() > 0 ? told.find(node.output(0)) : told.end();
    if (found != told.end()) node.set_doc_string(found->second);
  }
  return written(model);
}

}  // namespace opkit::onnx_frontend
