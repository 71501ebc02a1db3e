// Older models in a version of the operators that a writer needs.
#include <onnx/onnx_pb.h>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/convert_version.h"
#include "opkit/rewrite/onnx/edit_model.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/onnx/parse_message.h"
#include "opkit/rewrite/onnx/write_model.h"

namespace opkit::onnx_frontend {
namespace {

// Returns what the file says of values.
onnx::GraphProto ends_of(const onnx::GraphProto& graph) {
  onnx::GraphProto ends;
  *ends.mutable_input() = graph.input();
  *ends.mutable_output() = graph.output();
  *ends.mutable_value_info() = graph.value_info();
  return ends;
}

void set_dims(const Shape& shape, onnx::ValueInfoProto& info) {
  auto& dims = *info.mutable_type()->mutable_tensor_type()->mutable_shape();
  dims.Clear();
  for (const int64_t dim : shape.dims()) dims.add_dim()->set_dim_value(dim);
}

// Says the dims of inputs and of all values that are known with them: the converter needs some, and
// cannot find them out as far.
void state_shapes(std::string_view bytes, const std::map<std::string, Shape>& shapes,
                  onnx::GraphProto& proto) {
  for (auto& input : *proto.mutable_input()) {
    const auto known = shapes.find(input.name());
    if (known != shapes.end()) set_dims(known->second, input);
  }
  auto graph = import_model(bytes, {.input_shapes = shapes, .keep_version = true});
  if (!graph.ok() || !reference::infer(*graph).ok()) return;
  proto.clear_value_info();
  for (const graph::Node& node : graph->nodes) {
    for (const std::string& output : node.outputs) {
      const auto value = graph->values.find(output);
      if (value == graph->values.end() || !value->second.shape) continue;
      onnx::ValueInfoProto& info = *proto.add_value_info();
      info.set_name(output);
      info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx_type(value->second.dtype));
      set_dims(*value->second.shape, info);
    }
  }
}

}  // namespace

Result<std::string> in_version(std::string_view bytes, int least,
                               const std::map<std::string, Shape>& shapes) {
  OPKIT_TRY(onnx::ModelProto model, parse_message<onnx::ModelProto>(bytes, "ONNX model"));
  if (opset_of_model(model) >= least) return std::string(bytes);
  const onnx::GraphProto stated = ends_of(model.graph());
  state_shapes(bytes, shapes, *model.mutable_graph());
  OPKIT_TRY(const std::string converted, convert_version(model.SerializeAsString(), least));
  OPKIT_TRY(onnx::ModelProto raised, parse_message<onnx::ModelProto>(converted, "ONNX model"));
  *raised.mutable_graph()->mutable_input() = stated.input();
  *raised.mutable_graph()->mutable_output() = stated.output();
  *raised.mutable_graph()->mutable_value_info() = stated.value_info();
  return written(raised);
}

}  // namespace opkit::onnx_frontend
