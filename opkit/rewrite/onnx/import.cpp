#include "opkit/rewrite/onnx/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>
#include <utility>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/operators.h"
#include "opkit/reference/types.h"
#include "opkit/rewrite/onnx/convert_version.h"
#include "opkit/rewrite/onnx/tensors.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Attribute;
using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr const char* kReadable = "export it with opset 7 to 23";

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

// Refuses a tensor whose bytes cannot be counted in 63 bits.
Status check_bytes(const std::string& name, DType dtype, const Shape& shape) {
  const auto elements = shape.checked_elements();
  constexpr int64_t kMostBits = std::numeric_limits<int64_t>::max();
  if (elements.ok() && *elements / 8 <= kMostBits / bits_of(dtype)) return {};
  return Error(kBadTensor,
               fmt::format("tensor '{}' of {}{} {}", name, name_of(dtype), shape.to_string(),
                           shape.is_static() ? "has 2^63 bytes or more" : "has a negative dim"),
               "correct the dims and export the model again");
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
    OPKIT_CHECK(take_initializers(proto_));
    OPKIT_CHECK(take_inputs());
    for (const onnx::NodeProto& node : proto_.node()) {
      Status taken = take_node(node);
      if (!taken.ok()) return at_node(std::move(taken).error(), node);
    }
    OPKIT_CHECK(take_branches());
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

  Status take_initializers(const onnx::GraphProto& graph) {
    if (graph.sparse_initializer_size() > 0)
      return unsupported("the model has sparse initializers", "export it with dense weights");
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      OPKIT_TRY(Constant constant, constant_of(tensor, options_.folder));
      OPKIT_CHECK(add(named(tensor.name()), std::move(constant)));
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
        return unsupported(fmt::format("input '{}' has the ONNX element type {}", input.name(),
                                       element_type_text(type.elem_type())),
                           "use float, integer or bool tensors");
      OPKIT_TRY(const auto shape, input_shape(input.name(), type));
      if (shape) OPKIT_CHECK(check_bytes(input.name(), *dtype, *shape));
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
        return unsupported(fmt::format("output '{}' has the ONNX element type {}", output.name(),
                                       element_type_text(type.elem_type())),
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
    if (is_standard(proto.domain()) && proto.op_type() == "If" && proto.input_size() == 1) {
      open_ifs_.push_back({&proto, names_});
      return {};
    }
    OPKIT_TRY(Node node, node_of(proto));
    const bool known = reference::find_operator(node.op_type) != nullptr;
    if (reference::is_opaque(node.op_type) || (!known && !options_.keep_unknown))
      return no_parser(node);
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  static Error no_parser(const Node& node) {
    // An operator of a domain of its own is no misspelt one of ONNX, nor is one that begins
    // otherwise.
    std::vector<std::string> names = reference::operator_names();
    std::erase_if(names, [&](const std::string& name) {
      return std::tolower(name[0]) != std::tolower(static_cast<unsigned char>(node.op_type[0]));
    });
    const auto near =
        node.op_type.find('.') == std::string::npos ? nearest(node.op_type, names) : std::nullopt;
    return Error("E19010",
                 fmt::format("No parser is registered for Op [{}, optype [{}]]: it is no ONNX "
                             "operator that opkit reads",
                             graph::name_of(node), node.op_type),
                 near ? fmt::format("did you mean '{}'?", *near)
                      : "export it as operators of docs/reference-ops.md");
  }

  Status take_constant(const onnx::NodeProto& proto) {
    if (proto.attribute_size() == 1 && proto.attribute(0).type() == onnx::AttributeProto::TENSOR) {
      OPKIT_TRY(Constant constant, constant_of(proto.attribute(0).t(), options_.folder));
      return add(named(proto.output(0)), std::move(constant));
    }
    OPKIT_TRY(const Node node, node_of(proto));
    OPKIT_TRY(std::vector<RefTensor> values, reference::evaluate_node(node, {}, graph_.opset));
    return add(named(proto.output(0)), {std::move(values[0]), false});
  }

  // An If becomes the branch that its condition names, where that is known once dims are; one
  // may ask for what another one gives.
  Status take_branches() {
    for (bool any = true; any && !open_ifs_.empty();) {
      any = false;
      for (OpenIf& one : std::exchange(open_ifs_, {})) {
        names_ = one.names;
        auto condition = condition_of(*one.node);
        if (!condition.ok()) return at_node(std::move(condition).error(), *one.node);
        any |= condition->has_value();
        Status taken;
        if (*condition) taken = take_branch(*one.node, **condition);
        if (!taken.ok()) return at_node(std::move(taken).error(), *one.node);
        if (!*condition) open_ifs_.push_back(std::move(one));
      }
    }
    names_.clear();
    if (open_ifs_.empty()) return {};
    return at_node(unsupported("the condition of an If depends on data",
                               "export the model without control flow"),
                   *open_ifs_[0].node);
  }

  Result<std::optional<bool>> condition_of(const onnx::NodeProto& node) const {
    Graph known = graph_;
    OPKIT_CHECK(graph::sort_nodes(known));
    OPKIT_TRY(const auto value, reference::known_value(known, named(node.input(0))));
    if (value == nullptr || value->elements() != 1) return std::optional<bool>();
    return std::optional((*value)[0] != 0);
  }

  // Names of a branch are its own.
  Status take_branch(const onnx::NodeProto& node, bool condition) {
    const std::string wanted = condition ? "then_branch" : "else_branch";
    const auto& all = node.attribute();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == wanted; });
    if (found == all.end() || found->g().output_size() != node.output_size())
      return unsupported(fmt::format("its {} gives other outputs than it", wanted),
                         "export the model again");
    const onnx::GraphProto& branch = found->g();
    std::vector<std::string> outputs;
    for (const std::string& output : node.output()) outputs.push_back(named(output));
    own_names(branch, outputs.empty() ? node.name() : outputs[0]);
    OPKIT_CHECK(take_initializers(branch));
    for (const onnx::NodeProto& inner : branch.node()) OPKIT_CHECK(take_node(inner));
    for (int i = 0; i < branch.output_size(); ++i) {
      const std::string& output = outputs[static_cast<size_t>(i)];
      if (!output.empty())
        graph_.nodes.push_back({"Identity", {named(branch.output(i).name())}, {output}, {}});
    }
    return {};
  }

  void own_names(const onnx::GraphProto& branch, const std::string& stem) {
    const auto own = [&](const std::string& name) {
      if (!name.empty()) names_[name] = stem + "/" + name;
    };
    for (const auto& tensor : branch.initializer()) own(tensor.name());
    for (const auto& node : branch.node()) {
      for (const std::string& output : node.output()) own(output);
    }
  }

  // What a name of the file is called in the graph.
  const std::string& named(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  std::vector<std::string> named(const google::protobuf::RepeatedPtrField<std::string>& all) const {
    std::vector<std::string> names;
    for (const std::string& name : all) names.push_back(named(name));
    return names;
  }

  Result<Node> node_of(const onnx::NodeProto& proto) const {
    Node node;
    node.op_type =
        is_standard(proto.domain()) ? proto.op_type() : proto.domain() + "." + proto.op_type();
    node.name = proto.name();
    node.inputs = named(proto.input());
    node.outputs = named(proto.output());
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
        OPKIT_TRY(Constant constant, constant_of(proto.t(), {}));
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
  using Names = std::map<std::string, std::string>;
  struct OpenIf {
    const onnx::NodeProto* node;
    Names names;
  };
  std::vector<OpenIf> open_ifs_;
  Names names_;  // of the branch that is being taken, and of those around it
};

// Names the first operator of another domain, which a model may consist of: "ai.onnx.ml".
std::string foreign_text(const onnx::ModelProto& model) {
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (!node.domain().empty() && node.domain() != "ai.onnx")
      return fmt::format("; it has {} of the domain {}, which opkit does not read", node.op_type(),
                         node.domain());
  }
  return "";
}

// Refuses two versions, because nobody can tell which one a node means.
Result<int64_t> opset_of(const onnx::ModelProto& model) {
  std::optional<int64_t> found;
  for (const auto& opset : model.opset_import()) {
    if (!opset.domain().empty() && opset.domain() != "ai.onnx") continue;
    if (found && *found != opset.version())
      return Error(kBadOpset,
                   fmt::format("the model imports the ONNX operators twice, in versions {} and {}",
                               *found, opset.version()),
                   "keep the opset_import that the model was exported with");
    found = int64_t{opset.version()};
  }
  if (found) return *found;
  // Models before IR version 3 name none: their operators are of version 1.
  if (model.ir_version() < 3) return int64_t{1};
  return Error(kBadOpset,
               "the model imports no version of the ONNX operators" + foreign_text(model),
               kReadable);
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
        kReadable);
  if (!options.keep_version && opset < kOldestOpset) {
    OPKIT_TRY(const std::string converted, convert_version(bytes, kOldestOpset));
    OPKIT_TRY(model, parse<onnx::ModelProto>(converted, "ONNX model"));
  }
  return Importer(model, options).run();
}

Result<Graph> import_file(const std::filesystem::path& path, const ImportOptions& options) {
  OPKIT_TRY(const std::string bytes, read_file(path));
  ImportOptions beside = options;
  beside.folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  auto graph = import_model(bytes, beside);
  if (!graph.ok()) return std::move(graph).error().with("model " + path.string());
  return graph;
}

Result<std::pair<std::string, RefTensor>> read_tensor(std::string_view bytes) {
  OPKIT_TRY(const auto proto, parse<onnx::TensorProto>(bytes, "ONNX tensor"));
  OPKIT_TRY(const Tensor stored, stored_tensor(proto, {}));
  OPKIT_TRY(RefTensor tensor, reference::from_tensor(stored));
  return std::pair(proto.name(), std::move(tensor));
}

}  // namespace opkit::onnx_frontend
