#include <onnx/onnx_pb.h>

#include "networks.h"

namespace opkit::models {

namespace {

// A target of 1 in front becomes 0, which stands for the dim that is there.
void keep_first_dim(onnx::GraphProto& graph, const std::string& target) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.name() != target || tensor.data_type() != onnx::TensorProto::INT64) continue;
    if (tensor.int64_data_size() > 0 && tensor.int64_data(0) == 1) tensor.set_int64_data(0, 0);
    std::string& raw = *tensor.mutable_raw_data();
    if (raw.size() >= 8 && raw[0] == 1) raw[0] = 0;
  }
}

}  // namespace

std::string with_open_batch(const std::string& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return {};
  onnx::GraphProto& graph = *model.mutable_graph();
  const auto open = [](onnx::ValueInfoProto& value) {
    onnx::TensorShapeProto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
    if (shape.dim_size() > 0) shape.mutable_dim(0)->set_dim_param("N");
  };
  for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
    bool constant = false;
    for (const onnx::TensorProto& tensor : graph.initializer())
      constant = constant || tensor.name() == input.name();
    if (!constant) open(input);
  }
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.op_type() == "Reshape") keep_first_dim(graph, node.input(1));
  }
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) open(output);
  return model.SerializeAsString();
}

}  // namespace opkit::models
