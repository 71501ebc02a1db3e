#include "opkit/frontend/onnx/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/frontend/onnx/convert_version.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/operators.h"
#include "opkit/reference/types.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Attribute;
using graph::Graph;
using graph::Node;
using graph::RefTensor;

Error unsupported(std::string what, std::string action) {
  return Error(kUnsupported, std::move(what), std::move(action));
}

Error bad_tensor(std::string what) {
  return Error(kBadTensor, std::move(what), "export the model again");
}

template <typename Message>
Result<Message> parse(std::string_view bytes, const char* what) {
  Message message;
  if (bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
      message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return message;
  return Error(kNoModel, fmt::format("the {} bytes are no {}", bytes.size(), what),
               "give a file that an exporter wrote as protobuf");
}

// How many entries the field has in which a tensor of that dtype keeps its elements.
int field_size(const onnx::TensorProto& proto, DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return proto.float_data_size();
    case DType::kFloat64: return proto.double_data_size();
    case DType::kInt64: return proto.int64_data_size();
    case DType::kUInt32:
    case DType::kUInt64: return proto.uint64_data_size();
    default: return proto.int32_data_size();
  }
}

// Small types lie in wider fields, float16 and bfloat16 as bits.
void copy_fields(const onnx::TensorProto& proto, Tensor& out) {
  const auto copy = [&](const auto& field, auto convert) {
    for (int i = 0; i < field.size(); ++i) convert(i, field.Get(i));
  };
  switch (out.dtype()) {
    case DType::kFloat32: return copy(proto.float_data(), [&](int i, float v) { out.set(i, v); });
    case DType::kFloat64: return copy(proto.double_data(), [&](int i, double v) { out.set(i, v); });
    case DType::kInt64:
      return copy(proto.int64_data(), [&](int i, int64_t v) { out.as<int64_t>()[i] = v; });
    case DType::kUInt32:
      return copy(proto.uint64_data(),
                  [&](int i, uint64_t v) { out.as<uint32_t>()[i] = static_cast<uint32_t>(v); });
    case DType::kUInt64:
      return copy(proto.uint64_data(), [&](int i, uint64_t v) { out.as<uint64_t>()[i] = v; });
    case DType::kFloat16:
    case DType::kBFloat16:
      return copy(proto.int32_data(),
                  [&](int i, int32_t v) { out.as<uint16_t>()[i] = static_cast<uint16_t>(v); });
    default: return copy(proto.int32_data(), [&](int i, int32_t v) { out.set(i, v); });
  }
}

// Sizes are compared before anything is allocated: a tensor has no more elements than the file has
// bytes for.
Result<Tensor> stored_tensor(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return unsupported(fmt::format("tensor '{}' keeps its data in another file", proto.name()),
                       "save the model with its weights inside");
  const auto dtype = reference::dtype_from_onnx(proto.data_type());
  if (!dtype)
    return unsupported(
        fmt::format("tensor '{}' has ONNX element type {}", proto.name(), proto.data_type()),
        "use float, integer or bool tensors");
  const Shape shape(std::vector<int64_t>(proto.dims().begin(), proto.dims().end()));
  OPKIT_TRY(const int64_t elements, shape.checked_elements());
  const auto misfit = [&](size_t got, const char* unit) {
    return bad_tensor(fmt::format("tensor '{}' of {}{} holds {} {}", proto.name(), name_of(*dtype),
                                  shape.to_string(), got, unit));
  };
  const uint64_t wanted_bits =
      static_cast<uint64_t>(elements) * static_cast<uint64_t>(bits_of(*dtype));
  if (proto.has_raw_data()) {
    const size_t bytes = proto.raw_data().size();
    if (elements > (int64_t{1} << 50) || bytes != (wanted_bits + 7) / 8)
      return misfit(bytes, "bytes");
  } else if (elements != field_size(proto, *dtype)) {
    return misfit(static_cast<size_t>(field_size(proto, *dtype)), "values");
  }
  Tensor tensor(*dtype, shape, proto.name());
  if (proto.has_raw_data()) {
    std::memcpy(tensor.data(), proto.raw_data().data(), proto.raw_data().size());
  } else {
    copy_fields(proto, tensor);
  }
  return tensor;
}

// Whether an element had to be moved to +-2^53, which only bounds of a Slice may be.
bool confine_integers(Tensor& tensor) {
  if (tensor.dtype() != DType::kInt64) return false;
  constexpr int64_t kLimit = (int64_t{1} << 53) - 1;
  bool moved = false;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    int64_t& value = tensor.as<int64_t>()[i];
    moved = moved || value > kLimit || value < -kLimit;
    value = std::clamp(value, -kLimit, kLimit);
  }
  return moved;
}

struct Constant {
  RefTensor tensor;
  bool confined = false;
};

Result<Constant> constant_of(const onnx::TensorProto& proto) {
  OPKIT_TRY(Tensor stored, stored_tensor(proto));
  Constant constant;
  constant.confined = confine_integers(stored);
  OPKIT_TRY(constant.tensor, reference::from_tensor(stored));
  return constant;
}

template <typename T, typename Field>
std::vector<T> list(const Field& field) {
  return std::vector<T>(field.begin(), field.end());
}

// A quarter of a sentence for every kind that a graph cannot hold.
Error unsupported_attribute(const onnx::AttributeProto& proto) {
  const bool graph =
      proto.type() == onnx::AttributeProto::GRAPH || proto.type() == onnx::AttributeProto::GRAPHS;
  return unsupported(
      fmt::format("attribute '{}' holds {}", proto.name(),
                  graph ? "a subgraph" : "a value of a kind that opkit has not"),
      graph ? "export the model without control flow" : "export the model otherwise");
}

class Importer {
 public:
  Importer(const onnx::ModelProto& model, const ImportOptions& options)
      : proto_(model.graph()), options_(options) {
    graph_.name = proto_.name();
    for (const auto& opset : model.opset_import()) {
      if (is_standard(opset.domain())) graph_.opset = static_cast<int>(opset.version());
    }
  }

  Result<Graph> run() {
    OPKIT_CHECK(take_initializers());
    OPKIT_CHECK(take_inputs());
    for (const onnx::NodeProto& node : proto_.node()) {
      Status taken = take_node(node);
      if (!taken.ok()) return at_node(std::move(taken).error(), node);
    }
    OPKIT_CHECK(take_outputs());
    OPKIT_CHECK(check_confined());
    OPKIT_CHECK(graph::sort_nodes(graph_));
    OPKIT_CHECK(graph::validate(graph_));
    return std::move(graph_);
  }

 private:
  static bool is_standard(const std::string& domain) {
    return domain.empty() || domain == "ai.onnx";
  }

  static Error at_node(Error error, const onnx::NodeProto& node) {
    const std::string output = node.output_size() > 0 ? node.output(0) : "";
    error.trail.push_back(
        fmt::format("node {} ({})", node.name().empty() ? output : node.name(), node.op_type()));
    return error;
  }

  Status take_initializers() {
    if (proto_.sparse_initializer_size() > 0)
      return unsupported("the model has sparse initializers", "export it with dense weights");
    for (const onnx::TensorProto& tensor : proto_.initializer()) {
      OPKIT_TRY(Constant constant, constant_of(tensor));
      OPKIT_CHECK(add(tensor.name(), std::move(constant)));
    }
    return {};
  }

  Status add(const std::string& name, Constant constant) {
    if (graph_.values.count(name) > 0)
      return Error(graph::kDefinedTwice, fmt::format("'{}' is defined twice", name),
                   "give every value a name of its own");
    if (constant.confined) confined_.insert(name);
    graph_.add_constant(name, std::move(constant.tensor));
    return {};
  }

  // An input that is an initializer, too, is a constant.
  Status take_inputs() {
    for (const onnx::ValueInfoProto& input : proto_.input()) {
      if (graph_.constant(input.name()) != nullptr) continue;
      if (!input.type().has_tensor_type())
        return unsupported(fmt::format("input '{}' is no tensor", input.name()),
                           "use tensors in place of sequences, maps and optionals");
      const auto& type = input.type().tensor_type();
      const auto dtype = reference::dtype_from_onnx(type.elem_type());
      if (!dtype)
        return unsupported(
            fmt::format("input '{}' has ONNX element type {}", input.name(), type.elem_type()),
            "use float, integer or bool tensors");
      OPKIT_TRY(const auto shape, input_shape(input.name(), type));
      graph_.inputs.push_back(input.name());
      graph_.values[input.name()] = {*dtype, shape, Format::kND, nullptr};
    }
    for (const auto& [name, shape] : options_.input_shapes) {
      if (std::find(graph_.inputs.begin(), graph_.inputs.end(), name) != graph_.inputs.end())
        continue;
      return Error(kBadInput, fmt::format("the model has no input '{}'", name),
                   suggest(name, graph_.inputs));
    }
    return {};
  }

  Status take_outputs() {
    if (proto_.output_size() == 0)
      return Error(kNoOutput, "the model has no outputs: nothing of it would be computed",
                   "name the results that you want in graph.output, and export the model again");
    for (const onnx::ValueInfoProto& output : proto_.output()) {
      graph_.outputs.push_back(output.name());
      OPKIT_CHECK(take_declared(output));
    }
    return {};
  }

  Status take_declared(const onnx::ValueInfoProto& output) {
    if (!output.has_type()) return {};
    if (!output.type().has_tensor_type())
      return unsupported(fmt::format("output '{}' is no tensor", output.name()),
                         "use tensors in place of sequences, maps and optionals");
    const auto& type = output.type().tensor_type();
    graph::Value declared;
    declared.shape = stated_shape(type);
    if (type.elem_type() != onnx::TensorProto::UNDEFINED) {
      const auto dtype = reference::dtype_from_onnx(type.elem_type());
      if (!dtype)
        return unsupported(
            fmt::format("output '{}' has ONNX element type {}", output.name(), type.elem_type()),
            "use float, integer or bool tensors");
      declared.dtype = *dtype;
    }
    graph_.declared[output.name()] = std::move(declared);
    return {};
  }

  static std::optional<Shape> stated_shape(const onnx::TypeProto::Tensor& type) {
    if (!type.has_shape()) return std::nullopt;
    Shape shape;
    for (const auto& dim : type.shape().dim())
      shape.dims().push_back(dim.has_dim_value() ? dim.dim_value() : kUnknownDim);
    return shape;
  }

  Result<std::optional<Shape>> input_shape(const std::string& name,
                                           const onnx::TypeProto::Tensor& type) const {
    std::optional<Shape> stated = stated_shape(type);
    const auto given = options_.input_shapes.find(name);
    if (given == options_.input_shapes.end()) {
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

  Status take_node(const onnx::NodeProto& proto) {
    if (is_standard(proto.domain()) && proto.op_type() == "Constant" && proto.output_size() == 1)
      return take_constant(proto);
    OPKIT_TRY(Node node, node_of(proto));
    if (reference::find_operator(node.op_type) == nullptr) return no_parser(node);
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  static Error no_parser(const Node& node) {
    const auto near = nearest(node.op_type, reference::operator_names());
    return Error("E19010",
                 fmt::format("No parser is registered for Op [{}, optype [{}]]: it is no ONNX "
                             "operator that opkit reads",
                             graph::name_of(node), node.op_type),
                 near ? fmt::format("did you mean '{}'?", *near)
                      : "export it as operators of docs/reference-ops.md");
  }

  Status take_constant(const onnx::NodeProto& proto) {
    if (proto.attribute_size() == 1 && proto.attribute(0).type() == onnx::AttributeProto::TENSOR) {
      OPKIT_TRY(Constant constant, constant_of(proto.attribute(0).t()));
      return add(proto.output(0), std::move(constant));
    }
    OPKIT_TRY(const Node node, node_of(proto));
    OPKIT_TRY(std::vector<RefTensor> values, reference::evaluate_node(node, {}, graph_.opset));
    return add(proto.output(0), {std::move(values[0]), false});
  }

  static Result<Node> node_of(const onnx::NodeProto& proto) {
    Node node;
    node.op_type =
        is_standard(proto.domain()) ? proto.op_type() : proto.domain() + "." + proto.op_type();
    node.name = proto.name();
    node.inputs = list<std::string>(proto.input());
    node.outputs = list<std::string>(proto.output());
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      OPKIT_TRY(Attribute value, attribute_of(attribute));
      node.attributes.emplace(attribute.name(), std::move(value));
    }
    return node;
  }

  static Result<Attribute> attribute_of(const onnx::AttributeProto& proto) {
    switch (proto.type()) {
      case onnx::AttributeProto::INT: return Attribute(int64_t{proto.i()});
      case onnx::AttributeProto::FLOAT: return Attribute(static_cast<double>(proto.f()));
      case onnx::AttributeProto::STRING: return Attribute(proto.s());
      case onnx::AttributeProto::INTS: return Attribute(list<int64_t>(proto.ints()));
      case onnx::AttributeProto::FLOATS: return Attribute(list<double>(proto.floats()));
      case onnx::AttributeProto::STRINGS: return Attribute(list<std::string>(proto.strings()));
      case onnx::AttributeProto::TENSOR: {
        OPKIT_TRY(Constant constant, constant_of(proto.t()));
        if (constant.confined)
          return bad_tensor(fmt::format("attribute '{}' has an integer beyond 2^53", proto.name()));
        return Attribute(std::move(constant.tensor));
      }
      default: return unsupported_attribute(proto);
    }
  }

  Status check_confined() const {
    for (const Node& node : graph_.nodes) {
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (confined_.count(node.inputs[i]) == 0) continue;
        if (node.op_type == "Slice" && (i == 1 || i == 2)) continue;
        return bad_tensor(fmt::format("constant '{}', which {} reads, has an integer beyond 2^53",
                                      node.inputs[i], node.op_type));
      }
    }
    for (const std::string& output : graph_.outputs) {
      if (confined_.count(output) > 0)
        return bad_tensor(fmt::format("output '{}' has an integer beyond 2^53", output));
    }
    return {};
  }

  const onnx::GraphProto& proto_;
  const ImportOptions& options_;
  Graph graph_;
  std::set<std::string> confined_;
};

Result<int64_t> opset_of(const onnx::ModelProto& model) {
  for (const auto& opset : model.opset_import()) {
    if (opset.domain().empty() || opset.domain() == "ai.onnx") return int64_t{opset.version()};
  }
  // Models before IR version 3 name none: their operators are of version 1.
  if (model.ir_version() < 3) return int64_t{1};
  return Error(kBadOpset, "the model imports no version of the ONNX operators",
               "export it with opset 7 to 17");
}

}  // namespace

Result<Graph> import_model(std::string_view bytes, const ImportOptions& options) {
  OPKIT_TRY(onnx::ModelProto model, parse<onnx::ModelProto>(bytes, "ONNX model"));
  if (!model.has_graph())
    return Error(kNoModel, "the model has no graph", "give a file that an exporter wrote");
  OPKIT_TRY(const int64_t opset, opset_of(model));
  if (!options.keep_version && opset > kNewestOpset)
    return Error(
        kBadOpset,
        fmt::format("the model uses opset {}; the newest that is read is {}", opset, kNewestOpset),
        "export it with opset 7 to 17");
  if (!options.keep_version && opset < kOldestOpset) {
    OPKIT_TRY(const std::string converted, convert_version(bytes, kOldestOpset));
    OPKIT_TRY(model, parse<onnx::ModelProto>(converted, "ONNX model"));
  }
  return Importer(model, options).run();
}

Result<Graph> import_file(const std::filesystem::path& path, const ImportOptions& options) {
  OPKIT_TRY(const std::string bytes, read_file(path));
  auto graph = import_model(bytes, options);
  if (!graph.ok()) return std::move(graph).error().with("model " + path.string());
  return graph;
}

Result<std::pair<std::string, RefTensor>> read_tensor(std::string_view bytes) {
  OPKIT_TRY(const auto proto, parse<onnx::TensorProto>(bytes, "ONNX tensor"));
  OPKIT_TRY(const Tensor stored, stored_tensor(proto));
  OPKIT_TRY(RefTensor tensor, reference::from_tensor(stored));
  return std::pair(proto.name(), std::move(tensor));
}

}  // namespace opkit::onnx_frontend
