#include "opkit/rewrite/onnx/import.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <utility>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/operators.h"
#include "opkit/rewrite/onnx/attributes.h"
#include "opkit/rewrite/onnx/model_ends.h"
#include "opkit/rewrite/onnx/parse_message.h"
#include "opkit/rewrite/onnx/read_model.h"
#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/tensors.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

class Importer {
 public:
  // Takes the bytes of tensors out of the model as it goes.
  Importer(onnx::ModelProto& model, const ImportOptions& options)
      : proto_(*model.mutable_graph()), options_(options) {
    graph_.name = proto_.name();
    for (const auto& opset : model.opset_import()) {
      if (is_standard(opset.domain())) graph_.opset = static_cast<int>(opset.version());
    }
  }

  Result<Graph> run() {
    OPKIT_CHECK(take_initializers(proto_));
    OPKIT_CHECK(take_inputs(proto_, options_, graph_));
    for (onnx::NodeProto& node : *proto_.mutable_node()) {
      Status taken = take_node(node);
      if (!taken.ok()) return at_node(std::move(taken).error(), node);
    }
    OPKIT_CHECK(take_branches());
    OPKIT_CHECK(check_node_count(graph_.nodes.size()));
    OPKIT_CHECK(take_outputs(proto_, graph_));
    OPKIT_CHECK(check_confined());
    OPKIT_CHECK(graph::sort_nodes(graph_));
    OPKIT_CHECK(graph::validate(graph_));
    return std::move(graph_);
  }

 private:
  static Error at_node(Error error, const onnx::NodeProto& node) {
    const std::string output = node.output_size() > 0 ? node.output(0) : "";
    error.trail.push_back(
        fmt::format("node {} ({})", node.name().empty() ? output : node.name(), node.op_type()));
    return error;
  }

  Status take_initializers(onnx::GraphProto& graph) {
    if (graph.sparse_initializer_size() > 0)
      return unsupported("the model has sparse initializers", "export it with dense weights");
    for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
      OPKIT_TRY(Constant constant, constant_of(tensor, options_.folder));
      OPKIT_CHECK(add(named(tensor.name()), std::move(constant)));
      release(tensor);
    }
    return {};
  }

  // Weights need not be there twice.
  static void release(onnx::TensorProto& tensor) {
    const std::unique_ptr<std::string> bytes(tensor.release_raw_data());
  }

  Status add(const std::string& name, Constant constant) {
    if (graph_.values.count(name) > 0)
      return Error(graph::kDefinedTwice, fmt::format("'{}' is defined twice", name),
                   "give every value a name of its own");
    if (constant.confined) confined_.insert(name);
    graph_.add_constant(name, std::move(constant.tensor));
    return {};
  }

  Status take_node(onnx::NodeProto& proto) {
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

  Status take_constant(onnx::NodeProto& proto) {
    if (proto.attribute_size() == 1 && proto.attribute(0).type() == onnx::AttributeProto::TENSOR) {
      OPKIT_TRY(Constant constant, constant_of(proto.attribute(0).t(), options_.folder));
      release(*proto.mutable_attribute(0)->mutable_t());
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
      OPKIT_TRY(const auto conditions, known_conditions());
      const std::vector<OpenIf> open = std::exchange(open_ifs_, {});
      for (size_t i = 0; i < open.size(); ++i) {
        names_ = open[i].names;
        any |= conditions[i].has_value();
        Status taken;
        if (conditions[i]) taken = take_branch(*open[i].node, *conditions[i]);
        if (!taken.ok()) return at_node(std::move(taken).error(), *open[i].node);
        if (!conditions[i]) open_ifs_.push_back(open[i]);
      }
    }
    names_.clear();
    if (open_ifs_.empty()) return {};
    return at_node(unsupported("the condition of an If depends on data",
                               "export the model without control flow"),
                   *open_ifs_[0].node);
  }

  // Tells the conditions of the open Ifs as far as they are known.
  Result<std::vector<std::optional<bool>>> known_conditions() {
    std::vector<std::string> names;
    for (const OpenIf& one : open_ifs_) {
      names_ = one.names;
      names.push_back(named(one.node->input(0)));
    }
    OPKIT_CHECK(graph::sort_nodes(graph_));
    auto values = reference::known_values(graph_, names);
    if (!values.ok()) return at_node(std::move(values).error(), *open_ifs_[0].node);
    std::vector<std::optional<bool>> known;
    for (const auto& value : *values) {
      const bool one = value != nullptr && value->elements() == 1;
      known.push_back(one ? std::optional((*value)[0] != 0) : std::nullopt);
    }
    return known;
  }

  // Takes the nodes of a branch of an If into the graph, under names that no other branch has.
  Status take_branch(onnx::NodeProto& node, bool condition) {
    const std::string wanted = condition ? "then_branch" : "else_branch";
    auto& all = *node.mutable_attribute();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == wanted; });
    if (found == all.end() || found->g().output_size() != node.output_size())
      return unsupported(fmt::format("its {} gives other outputs than it", wanted),
                         "export the model again");
    onnx::GraphProto& branch = *found->mutable_g();
    std::vector<std::string> outputs;
    for (const std::string& output : node.output()) outputs.push_back(named(output));
    own_names(branch, outputs.empty() ? node.name() : outputs[0]);
    OPKIT_CHECK(take_initializers(branch));
    for (onnx::NodeProto& inner : *branch.mutable_node()) OPKIT_CHECK(take_node(inner));
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
    OPKIT_TRY(node.attributes, attributes_of(proto));
    return node;
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

  onnx::GraphProto& proto_;
  const ImportOptions& options_;
  Graph graph_;
  std::set<std::string> confined_;
  using Names = std::map<std::string, std::string>;
  struct OpenIf {
    onnx::NodeProto* node;
    Names names;
  };
  std::vector<OpenIf> open_ifs_;
  Names names_;  // of the branch that is being taken, and of those around it
};

}  // namespace

Result<Graph> import_model(std::string_view bytes, const ImportOptions& options) {
  OPKIT_TRY(onnx::ModelProto model, read_model(bytes, options.keep_version));
  return Importer(model, options).run();
}

Result<Graph> import_file(const std::filesystem::path& path, const ImportOptions& options) {
  OPKIT_TRY(std::string bytes, read_file(path));
  ImportOptions beside = options;
  beside.folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  auto model = read_model(bytes, options.keep_version);
  std::string().swap(bytes);
  auto graph = model.ok() ? Importer(*model, beside).run() : Result<Graph>(model.error());
  if (!graph.ok()) return std::move(graph).error().with("model " + path.string());
  return graph;
}

Result<std::pair<std::string, RefTensor>> read_tensor(std::string_view bytes) {
  OPKIT_TRY(const auto proto, parse_message<onnx::TensorProto>(bytes, "ONNX tensor"));
  OPKIT_TRY(const Tensor stored, stored_tensor(proto, {}));
  OPKIT_TRY(RefTensor tensor, reference::from_tensor(stored));
  return std::pair(proto.name(), std::move(tensor));
}

}  // namespace opkit::onnx_frontend
