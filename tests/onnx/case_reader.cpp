// The only file here that knows protobuf and libonnx.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/base/file.h"
#include "opkit/graph/bodies.h"
#include "opkit/reference/operators.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/onnx/sequences.h"
#include "tests/onnx/case.h"

namespace opkit::onnx_tests {
namespace {

namespace fs = std::filesystem;
using reference::RefTensor;

Error unsupported(std::string what) { return Error("UNSUPPORTED", std::move(what)); }

template <typename Message>
Result<Message> read_message(const fs::path& path) {
  OPKIT_TRY(const std::string bytes, read_file(path));
  Message message;
  if (!message.ParseFromString(bytes)) return unsupported("no " + message.GetTypeName());
  return message;
}

std::string qualified(const onnx::NodeProto& proto) {
  const bool standard = proto.domain().empty() || proto.domain() == "ai.onnx";
  return standard ? proto.op_type() : proto.domain() + "." + proto.op_type();
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
    OPKIT_TRY(const std::string bytes, read_file(path));
    OPKIT_TRY(auto tensor, onnx_frontend::read_tensor(bytes));
    restore_bfloat16(tensor.second, names[i].type);
    values.emplace(names[i].name, std::move(tensor.second));
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

// Some models state another shape than their data have; the data count.
void take_shapes_of(const DataSet& data, graph::Graph& graph) {
  for (const auto& [name, tensor] : data.inputs) {
    std::optional<Shape>& stated = graph.values[name].shape;
    if (stated != tensor.shape) stated.reset();
  }
}

Status fill(const fs::path& folder, const onnx::ModelProto& model, Case& out) {
  OPKIT_CHECK(check_tensors(model.graph()));
  OPKIT_TRY(out.graph, onnx_frontend::import_file(folder / "model.onnx", {{}, true}));
  for (const fs::path& entry : fs::directory_iterator(folder)) {
    if (!entry.filename().string().starts_with("test_data_set_")) continue;
    DataSet data;
    OPKIT_TRY(data.inputs, read_values(entry, "input", fed_inputs(model.graph())));
    OPKIT_TRY(data.expected, read_values(entry, "output", declared(model.graph().output())));
    take_shapes_of(data, out.graph);
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
    if (graph::has_bodies(name) || onnx_frontend::is_of_sequences(name)) continue;
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
