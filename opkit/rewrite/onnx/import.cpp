#include "opkit/rewrite/onnx/import.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "opkit/base/file.h"
#include "opkit/graph/bodies.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/onnx/model_ends.h"
#include "opkit/rewrite/onnx/nodes.h"
#include "opkit/rewrite/onnx/parse_message.h"
#include "opkit/rewrite/onnx/read_model.h"
#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/sequences.h"
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
      : proto_(*model.mutable_graph()), options_(options), reader_(graph_, options) {
    graph_.name = proto_.name();
    for (const auto& opset : model.opset_import()) {
      if (is_standard(opset.domain())) graph_.opset = static_cast<int>(opset.version());
    }
  }

  Result<Graph> run() {
    OPKIT_CHECK(reader_.take_initializers(proto_));
    OPKIT_CHECK(take_inputs(proto_, options_, graph_));
    for (onnx::NodeProto& node : *proto_.mutable_node()) {
      Status taken = take_node(node);
      if (!taken.ok()) return at_node(std::move(taken).error(), node);
    }
    OPKIT_CHECK(sequences_.resolve(graph_));
    OPKIT_CHECK(take_branches());
    OPKIT_CHECK(sequences_.resolve(graph_));
    OPKIT_CHECK(sequences_.check_resolved());
    OPKIT_CHECK(check_node_count(graph::nodes_with_bodies(graph_)));
    OPKIT_CHECK(take_outputs(proto_, graph_));
    OPKIT_CHECK(reader_.check_confined());
    OPKIT_CHECK(graph::sort_nodes(graph_));
    OPKIT_CHECK(graph::validate(graph_));
    return std::move(graph_);
  }

 private:
  Status take_node(onnx::NodeProto& proto) {
    if (NodeReader::is_constant(proto)) return reader_.take_constant(proto);
    if (is_standard(proto.domain()) && proto.op_type() == "If" && proto.input_size() == 1) {
      open_ifs_.push_back({&proto, reader_.names()});
      return {};
    }
    if (is_standard(proto.domain()) && is_of_sequences(proto.op_type())) {
      OPKIT_TRY(Node node, reader_.plain_node(proto));
      sequences_.take(std::move(node));
      return {};
    }
    OPKIT_TRY(std::vector<Node> nodes, reader_.read(proto));
    std::move(nodes.begin(), nodes.end(), std::back_inserter(graph_.nodes));
    return {};
  }

  // An If becomes the branch that its condition names, where that is known once dims are; one
  // may ask for what another one gives.
  Status take_branches() {
    for (bool any = true; any && !open_ifs_.empty();) {
      any = false;
      OPKIT_TRY(const auto conditions, known_conditions());
      const std::vector<OpenIf> open = std::exchange(open_ifs_, {});
      for (size_t i = 0; i < open.size(); ++i) {
        reader_.use(open[i].names);
        any |= conditions[i].has_value();
        Status taken;
        if (conditions[i]) taken = take_branch(*open[i].node, *conditions[i]);
        if (!taken.ok()) return at_node(std::move(taken).error(), *open[i].node);
        if (!conditions[i]) open_ifs_.push_back(open[i]);
      }
    }
    return take_open_ifs();
  }

  // Data decide these: both branches stay.
  Status take_open_ifs() {
    for (const OpenIf& one : open_ifs_) {
      reader_.use(one.names);
      auto nodes = reader_.read(*one.node);
      if (!nodes.ok()) return at_node(std::move(nodes).error(), *one.node);
      std::move(nodes->begin(), nodes->end(), std::back_inserter(graph_.nodes));
    }
    reader_.use({});
    return {};
  }

  // Tells the conditions of the open Ifs as far as they are known.
  Result<std::vector<std::optional<bool>>> known_conditions() {
    std::vector<std::string> names;
    for (const OpenIf& one : open_ifs_) {
      reader_.use(one.names);
      names.push_back(reader_.named(one.node->input(0)));
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
    for (const std::string& output : node.output()) outputs.push_back(reader_.named(output));
    reader_.own_names(branch, outputs.empty() ? node.name() : outputs[0]);
    OPKIT_CHECK(reader_.take_initializers(branch));
    for (onnx::NodeProto& inner : *branch.mutable_node()) OPKIT_CHECK(take_node(inner));
    for (int i = 0; i < branch.output_size(); ++i) {
      const std::string& output = outputs[static_cast<size_t>(i)];
      if (!output.empty())
        graph_.nodes.push_back(
            {"Identity", {reader_.named(branch.output(i).name())}, {output}, {}});
    }
    return {};
  }

  onnx::GraphProto& proto_;
  const ImportOptions& options_;
  Graph graph_;
  NodeReader reader_;
  Sequences sequences_;
  struct OpenIf {
    onnx::NodeProto* node;
    NodeReader::Names names;  // maps names of the branch that holds it, and of those around it
  };
  std::vector<OpenIf> open_ifs_;
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
