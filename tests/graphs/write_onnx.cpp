#include "tests/graphs/write_onnx.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cmath>

#include "opkit/base/tensor.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/tensor.h"
#include "tests/graphs/judge.h"

namespace opkit::graph_tests {
namespace {

using graph::Graph;
using graph::RefTensor;

int type_of(DType dtype) {
  switch (dtype) {
    case DType::kUInt8: return onnx::TensorProto::UINT8;
    case DType::kInt8: return onnx::TensorProto::INT8;
    case DType::kInt32: return onnx::TensorProto::INT32;
    case DType::kInt64: return onnx::TensorProto::INT64;
    case DType::kBool: return onnx::TensorProto::BOOL;
    case DType::kFloat16: return onnx::TensorProto::FLOAT16;
    case DType::kFloat64: return onnx::TensorProto::DOUBLE;
    default: return onnx::TensorProto::FLOAT;
  }
}

void fill(const RefTensor& tensor, onnx::TensorProto* proto) {
  const auto stored = reference::to_tensor(tensor);
  proto->set_data_type(type_of(tensor.dtype));
  for (const int64_t dim : tensor.shape.dims()) proto->add_dims(dim);
  if (stored.ok()) proto->set_raw_data(stored->data(), stored->size_bytes());
}

struct Fill {
  onnx::AttributeProto* proto;
  void operator()(int64_t value) const {
    proto->set_type(onnx::AttributeProto::INT);
    proto->set_i(value);
  }
  void operator()(double value) const {
    proto->set_type(onnx::AttributeProto::FLOAT);
    proto->set_f(static_cast<float>(value));
  }
  void operator()(const std::string& value) const {
    proto->set_type(onnx::AttributeProto::STRING);
    proto->set_s(value);
  }
  void operator()(const std::vector<int64_t>& value) const {
    proto->set_type(onnx::AttributeProto::INTS);
    for (const int64_t one : value) proto->add_ints(one);
  }
  void operator()(const std::vector<double>& value) const {
    proto->set_type(onnx::AttributeProto::FLOATS);
    for (const double one : value) proto->add_floats(static_cast<float>(one));
  }
  void operator()(const std::vector<std::string>& value) const {
    proto->set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& one : value) proto->add_strings(one);
  }
  void operator()(const RefTensor& value) const {
    proto->set_type(onnx::AttributeProto::TENSOR);
    fill(value, proto->mutable_t());
  }
};

void describe(const Graph& graph, const std::string& name, onnx::ValueInfoProto* info) {
  const graph::ValueInfo& value = graph.values.at(name);
  info->set_name(name);
  auto* type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(type_of(value.dtype));
  auto* shape = type->mutable_shape();
  for (const int64_t dim : value.shape->dims()) shape->add_dim()->set_dim_value(dim);
}

std::string json_of(const RefTensor& tensor) {
  std::string dims, values;
  for (const int64_t dim : tensor.shape.dims())
    dims += (dims.empty() ? "" : ",") + std::to_string(dim);
  for (const double value : tensor.values) {
    const std::string text = std::isfinite(value) ? fmt::format("{:.17g}", value) : "null";
    values += (values.empty() ? "" : ",") + text;
  }
  return fmt::format("{{\"type\":\"{}\",\"dims\":[{}],\"data\":[{}]}}", name_of(tensor.dtype), dims,
                     values);
}

std::string json_of(const reference::NamedTensors& tensors) {
  std::string text;
  for (const auto& [name, tensor] : tensors)
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, json_of(tensor));
  return "{" + text + "}";
}

}  // namespace

std::string onnx_bytes(const Graph& graph) {
  onnx::ModelProto model;
  model.set_ir_version(graph.opset > 20 ? 10 : 8);
  model.add_opset_import()->set_version(graph.opset);
  auto* proto = model.mutable_graph();
  proto->set_name(graph.name);
  for (const std::string& name : graph.inputs) describe(graph, name, proto->add_input());
  for (const std::string& name : graph.outputs) describe(graph, name, proto->add_output());
  for (const auto& [name, value] : graph.values) {
    if (!value.constant) continue;
    auto* tensor = proto->add_initializer();
    fill(*value.constant, tensor);
    tensor->set_name(name);
  }
  for (const graph::Node& node : graph.nodes) {
    auto* one = proto->add_node();
    one->set_op_type(node.op_type);
    for (const std::string& input : node.inputs) one->add_input(input);
    for (const std::string& output : node.outputs) one->add_output(output);
    for (const auto& [name, value] : node.attributes) {
      auto* attribute = one->add_attribute();
      attribute->set_name(name);
      std::visit(Fill{attribute}, value);
    }
  }
  return model.SerializeAsString();
}

std::string data_json(const Graph& graph) {
  const reference::NamedTensors inputs = drawn_inputs(graph, false);
  const auto outputs = reference::evaluate(graph, inputs);
  const auto moved = reference::evaluate(graph, inputs, {reference::Precision::kDouble, 0x1p-20});
  if (!outputs.ok() || !moved.ok()) return "";
  return fmt::format("{{\"inputs\":{},\"outputs\":{},\"moved\":{}}}", json_of(inputs),
                     json_of(*outputs), json_of(*moved));
}

}  // namespace opkit::graph_tests
