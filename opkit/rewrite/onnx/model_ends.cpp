#include "opkit/rewrite/onnx/model_ends.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/byte_count.h"
#include "opkit/base/suggest.h"
#include "opkit/reference/types.h"
#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/tensors.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Graph;

// Refuses an input or an output, as `what` says.
Error no_tensor(const char* what, const std::string& name) {
  return unsupported(fmt::format("{} '{}' is no tensor", what, name),
                     "use tensors in place of sequences, maps and optionals");
}

Result<DType> dtype_of(const char* what, const std::string& name, int32_t type) {
  const auto dtype = reference::dtype_from_onnx(type);
  if (dtype) return *dtype;
  return unsupported(
      fmt::format("{} '{}' has the ONNX element type {}", what, name, element_type_text(type)),
      "use float, integer or bool tensors");
}

Status check_bytes(const std::string& name, DType dtype, const Shape& shape) {
  if (byte_count(dtype, shape)) return {};
  return Error(kBadTensor,
               fmt::format("tensor '{}' of {}{} {}", name, name_of(dtype), shape.to_string(),
                           why_uncounted(shape)),
               "correct the dims and export the model again");
}

std::optional<Shape> stated_shape(const onnx::TypeProto::Tensor& type) {
  if (!type.has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dim : type.shape().dim())
    shape.dims().push_back(dim.has_dim_value() ? dim.dim_value() : kUnknownDim);
  return shape;
}

Result<std::optional<Shape>> input_shape(const std::string& name,
                                         const onnx::TypeProto::Tensor& type,
                                         const ImportOptions& options) {
  std::optional<Shape> stated = stated_shape(type);
  const auto given = options.input_shapes.find(name);
  if (given == options.input_shapes.end()) {
    if (stated && !stated->is_static()) stated.reset();
    return stated;
  }
  const Shape& wanted = given->second;
  bool fits = wanted.is_static() && (!stated || stated->rank() == wanted.rank());
  for (size_t d = 0; fits && stated && d < wanted.rank(); ++d)
    fits = (*stated)[d] < 0 || (*stated)[d] == wanted[d];
  if (fits) return std::optional(wanted);
  return Error(kBadInput,
               fmt::format("input '{}' is {} in the model, not {}", name,
                           stated ? stated->to_string() : "[...]", wanted.to_string()),
               "give a shape that the model allows");
}

Status take_input(const onnx::ValueInfoProto& input, const ImportOptions& options, Graph& graph) {
  const std::string& name = input.name();
  if (graph.constant(name) != nullptr) return {};
  if (!input.type().has_tensor_type()) return no_tensor("input", name);
  const auto& type = input.type().tensor_type();
  OPKIT_TRY(const DType dtype, dtype_of("input", name, type.elem_type()));
  OPKIT_TRY(const auto shape, input_shape(name, type, options));
  if (shape) OPKIT_CHECK(check_bytes(name, dtype, *shape));
  graph.inputs.push_back(name);
  graph.values[name] = {dtype, shape, Format::kND, nullptr};
  return {};
}

Status take_declared(const onnx::ValueInfoProto& output, Graph& graph) {
  if (!output.has_type()) return {};
  if (!output.type().has_tensor_type()) return no_tensor("output", output.name());
  const auto& type = output.type().tensor_type();
  graph::ValueInfo declared;
  declared.shape = stated_shape(type);
  if (type.elem_type() != onnx::TensorProto::UNDEFINED) {
    OPKIT_TRY(declared.dtype, dtype_of("output", output.name(), type.elem_type()));
  }
  graph.declared[output.name()] = std::move(declared);
  return {};
}

}  // namespace

Status take_inputs(const onnx::GraphProto& proto, const ImportOptions& options, Graph& graph) {
  for (const onnx::ValueInfoProto& input : proto.input())
    OPKIT_CHECK(take_input(input, options, graph));
  for (const auto& [name, shape] : options.input_shapes) {
    if (std::find(graph.inputs.begin(), graph.inputs.end(), name) != graph.inputs.end()) continue;
    return Error(kBadInput, fmt::format("the model has no input '{}'", name),
                 suggest(name, graph.inputs));
  }
  return {};
}

Status take_outputs(const onnx::GraphProto& proto, Graph& graph) {
  if (proto.output_size() == 0)
    return Error(kNoOutput, "the model has no outputs: nothing of it would be computed",
                 "name the results that you want in graph.output, and export the model again");
  for (const onnx::ValueInfoProto& output : proto.output()) {
    graph.outputs.push_back(output.name());
    OPKIT_CHECK(take_declared(output, graph));
  }
  return {};
}

}  // namespace opkit::onnx_frontend
