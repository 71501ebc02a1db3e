// The only file here that knows protobuf and libonnx.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>

#include "opkit/base/file.h"
#include "opkit/num/bfloat16.h"
#include "opkit/reference/types.h"
#include "tests/onnx/case.h"

namespace opkit::onnx_tests {
namespace {

namespace fs = std::filesystem;
using reference::Attribute;
using reference::RefTensor;

Error unsupported(std::string what) { return Error("UNSUPPORTED", std::move(what)); }

template <typename Message>
Result<Message> read_message(const fs::path& path) {
  OPKIT_TRY(const std::string bytes, read_file(path));
  Message message;
  if (!message.ParseFromString(bytes)) return unsupported("no " + message.GetTypeName());
  return message;
}

// Typed fields hold the elements of small types in wider ones, float16 and bfloat16 as bits.
Status fill_from_fields(const onnx::TensorProto& proto, Tensor& out) {
  const auto copy = [&](const auto& field, auto convert) -> Status {
    if (field.size() != out.elements()) return unsupported("a tensor without its elements");
    for (int i = 0; i < field.size(); ++i) convert(i, field.Get(i));
    return {};
  };
  switch (out.dtype()) {
    case DType::kFloat32: return copy(proto.float_data(), [&](int i, float v) { out.set(i, v); });
    case DType::kFloat64: return copy(proto.double_data(), [&](int i, double v) { out.set(i, v); });
    case DType::kInt64:
      return copy(proto.int64_data(), [&](int i, int64_t v) { out.as<int64_t>()[i] = v; });
    case DType::kUInt32:
    case DType::kUInt64:
      return copy(proto.uint64_data(), [&](int i, uint64_t v) { out.set(i, v); });
    case DType::kFloat16:
    case DType::kBFloat16:
      return copy(proto.int32_data(), [&](int i, int32_t v) { out.as<uint16_t>()[i] = v; });
    default: return copy(proto.int32_data(), [&](int i, int32_t v) { out.set(i, v); });
  }
}

Result<RefTensor> read_tensor(const onnx::TensorProto& proto) {
  const auto dtype = reference::dtype_from_onnx(proto.data_type());
  if (!dtype) return unsupported(fmt::format("a tensor of ONNX type {}", proto.data_type()));
  const Shape shape(std::vector<int64_t>(proto.dims().begin(), proto.dims().end()));
  OPKIT_TRY([[maybe_unused]] const int64_t elements, shape.checked_elements());
  Tensor tensor(*dtype, shape, proto.name());
  if (proto.has_raw_data()) {
    if (proto.raw_data().size() != tensor.size_bytes())
      return unsupported("a tensor of wrong size");
    std::memcpy(tensor.data(), proto.raw_data().data(), tensor.size_bytes());
  } else if (tensor.elements() > 0) {
    OPKIT_CHECK(fill_from_fields(proto, tensor));
  }
  return reference::from_tensor(tensor);
}

template <typename T, typename Field>
std::vector<T> list(const Field& field) {
  return std::vector<T>(field.begin(), field.end());
}

Result<Attribute> read_attribute(const onnx::AttributeProto& proto) {
  switch (proto.type()) {
    case onnx::AttributeProto::INT: return Attribute(int64_t{proto.i()});
    case onnx::AttributeProto::FLOAT: return Attribute(static_cast<double>(proto.f()));
    case onnx::AttributeProto::STRING: return Attribute(proto.s());
    case onnx::AttributeProto::INTS: return Attribute(list<int64_t>(proto.ints()));
    case onnx::AttributeProto::FLOATS: return Attribute(list<double>(proto.floats()));
    case onnx::AttributeProto::STRINGS: return Attribute(list<std::string>(proto.strings()));
    case onnx::AttributeProto::TENSOR: {
      OPKIT_TRY(RefTensor tensor, read_tensor(proto.t()));
      return Attribute(std::move(tensor));
    }
    default: return unsupported("an attribute that holds a subgraph or a type");
  }
}

std::string qualified(const onnx::NodeProto& proto) {
  const bool standard = proto.domain().empty() || proto.domain() == "ai.onnx";
  return standard ? proto.op_type() : proto.domain() + "." + proto.op_type();
}

Result<reference::RefNode> read_node(const onnx::NodeProto& proto) {
  reference::RefNode node;
  node.op_type = qualified(proto);
  node.name = proto.name();
  node.inputs = list<std::string>(proto.input());
  node.outputs = list<std::string>(proto.output());
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    auto value = read_attribute(attribute);
    if (!value.ok()) return unsupported(node.op_type + ": " + value.error().message);
    node.attributes.emplace(attribute.name(), std::move(*value));
  }
  return node;
}

Result<reference::RefGraph> read_graph(const onnx::ModelProto& model) {
  reference::RefGraph graph;
  for (const onnx::NodeProto& proto : model.graph().node()) {
    OPKIT_TRY(reference::RefNode node, read_node(proto));
    graph.nodes.push_back(std::move(node));
  }
  for (const onnx::TensorProto& proto : model.graph().initializer()) {
    OPKIT_TRY(RefTensor tensor, read_tensor(proto));
    graph.constants.emplace(proto.name(), std::move(tensor));
  }
  for (const auto& output : model.graph().output()) graph.outputs.push_back(output.name());
  for (const auto& opset : model.opset_import()) {
    if (opset.domain().empty()) graph.opset = static_cast<int>(opset.version());
  }
  return graph;
}

// numpy has no bfloat16: the files hold its bits as uint16 where the model declares bfloat16.
void restore_bfloat16(RefTensor& tensor, int32_t declared) {
  if (declared != onnx::TensorProto::BFLOAT16 || tensor.dtype != DType::kUInt16) return;
  for (double& value : tensor.values) {
    value = BFloat16::from_bits(static_cast<uint16_t>(value));
  }
  tensor.dtype = DType::kBFloat16;
}

struct Declared {
  std::string name;
  int32_t type;  // ONNX's number
};

template <typename Values>
std::vector<Declared> declared(const Values& values) {
  std::vector<Declared> out;
  for (const auto& v : values) out.push_back({v.name(), v.type().tensor_type().elem_type()});
  return out;
}

// Files input_0.pb, input_1.pb, ... belong to the names in order.
Result<reference::NamedTensors> read_values(const fs::path& folder, std::string_view kind,
                                            const std::vector<Declared>& names) {
  reference::NamedTensors values;
  for (size_t i = 0; i < names.size(); ++i) {
    const fs::path path = folder / fmt::format("{}_{}.pb", kind, i);
    if (!fs::exists(path)) return unsupported(fmt::format("{} files fewer than names", kind));
    OPKIT_TRY(const auto proto, read_message<onnx::TensorProto>(path));
    OPKIT_TRY(RefTensor tensor, read_tensor(proto));
    restore_bfloat16(tensor, names[i].type);
    values.emplace(names[i].name, std::move(tensor));
  }
  return values;
}

// A graph input that is also an initializer has no file.
std::vector<Declared> fed_inputs(const onnx::GraphProto& graph) {
  std::vector<Declared> names;
  for (const Declared& input : declared(graph.input())) {
    const bool initialized = std::any_of(graph.initializer().begin(), graph.initializer().end(),
                                         [&](const auto& t) { return t.name() == input.name; });
    if (!initialized) names.push_back(input);
  }
  return names;
}

Status check_tensors(const onnx::GraphProto& graph) {
  const auto check = [](const auto& values) -> Status {
    for (const auto& value : values) {
      if (!value.type().has_tensor_type()) {
        return unsupported("a sequence, map or optional instead of a tensor");
      }
      if (value.type().tensor_type().elem_type() == onnx::TensorProto::STRING) {
        return unsupported("string tensors");
      }
    }
    return {};
  };
  OPKIT_CHECK(check(graph.input()));
  return check(graph.output());
}

Status fill(const fs::path& folder, const onnx::ModelProto& model, Case& out) {
  OPKIT_CHECK(check_tensors(model.graph()));
  OPKIT_TRY(out.graph, read_graph(model));
  for (const fs::path& entry : fs::directory_iterator(folder)) {
    if (!entry.filename().string().starts_with("test_data_set_")) continue;
    DataSet data;
    OPKIT_TRY(data.inputs, read_values(entry, "input", fed_inputs(model.graph())));
    OPKIT_TRY(data.expected, read_values(entry, "output", declared(model.graph().output())));
    out.data.push_back(std::move(data));
  }
  if (out.data.empty()) return unsupported("no data set");
  return {};
}

const std::vector<std::string>& known_operators() {
  static const std::vector<std::string> names = reference::operator_names();
  return names;
}

// The first operator of the model that the interpreter has not.
std::string missing_operator(const onnx::GraphProto& graph) {
  for (const onnx::NodeProto& node : graph.node()) {
    const std::string name = qualified(node);
    if (!std::binary_search(known_operators().begin(), known_operators().end(), name)) return name;
  }
  return "";
}

// An "_expanded" model writes an operator out in others; it is about that operator.
std::string subject(const fs::path& folder) {
  constexpr std::string_view kSuffix = "_expanded";
  std::string name = folder.filename().string();
  if (!name.ends_with(kSuffix)) return operator_of(folder);
  name.resize(name.size() - kSuffix.size());
  const fs::path original = folder.parent_path() / name;
  return operator_of(fs::exists(original) ? original : folder);
}

}  // namespace

std::string operator_of(const fs::path& folder) {
  const auto model = read_message<onnx::ModelProto>(folder / "model.onnx");
  if (!model.ok() || model->graph().node().empty()) return "?";
  return qualified(*model->graph().node().rbegin());
}

Result<Case> read_case(const fs::path& folder) {
  OPKIT_TRY(const auto model, read_message<onnx::ModelProto>(folder / "model.onnx"));
  Case out;
  out.suite = folder.parent_path().filename().string();
  out.name = folder.filename().string();
  out.op = subject(folder);
  const std::string missing = missing_operator(model.graph());
  if (!missing.empty()) {
    out.unsupported = missing == out.op ? "operator not implemented" : "needs " + missing;
    return out;
  }
  const Status filled = fill(folder, model, out);
  if (!filled.ok()) out.unsupported = filled.error().message;
  return out;
}

}  // namespace opkit::onnx_tests
