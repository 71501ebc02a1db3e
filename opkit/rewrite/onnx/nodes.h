// Nodes of a model's file as nodes of a graph, those with bodies included. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_NODES_H_
#define OPKIT_REWRITE_ONNX_NODES_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/onnx/import_options.h"
#include "opkit/rewrite/onnx/tensors.h"

namespace opkit::onnx_frontend {

// Adds "node conv1 (Conv)" to the error's trail.
Error at_node(Error error, const onnx::NodeProto& node);

class NodeReader {
 public:
  // Constants, those of bodies too, become constants of `graph`. Bytes of tensors are taken out of
  // the model.
  NodeReader(graph::Graph& graph, const ImportOptions& options)
      : graph_(graph), options_(options) {}

  // What names of the file are called in the graph, where they are called otherwise: names of a
  // graph inside a node are its own.
  using Names = std::map<std::string, std::string>;
  const Names& names() const { return names_; }
  void use(Names names) { names_ = std::move(names); }
  void own_names(const onnx::GraphProto& inner, const std::string& stem);
  const std::string& named(const std::string& name) const;

  Status take_initializers(onnx::GraphProto& graph);
  static bool is_constant(const onnx::NodeProto& proto);
  Status take_constant(onnx::NodeProto& proto);
  // A node that is no constant, or what stands for it. Errors: E19010 no operator of ONNX;
  // OPK-ONNX-002 bodies that opkit has not, forms that are none of ONNX's.
  Result<std::vector<graph::Node>> read(onnx::NodeProto& proto);
  // The node as it stands there, without bodies.
  Result<graph::Node> plain_node(const onnx::NodeProto& proto) const;

  // OPK-ONNX-003: an integer that was moved to +-2^53 is read by somebody whom that concerns.
  Status check_confined() const;

 private:
  std::vector<std::string> named(const google::protobuf::RepeatedPtrField<std::string>& all) const;
  Status add(const std::string& name, Constant constant);
  Result<graph::Node> one_node(onnx::NodeProto& proto);
  Result<graph::Node> node_with_bodies(onnx::NodeProto& proto);
  Result<graph::Graph> body(onnx::GraphProto& proto, const std::string& stem, bool counts);
  Status take_body_inputs(const onnx::GraphProto& proto, bool counts, graph::Graph& body) const;
  Status take_body_nodes(onnx::GraphProto& proto, graph::Graph& body);
  Status check_reader(const graph::Node& node) const;
  Status check_captured(const graph::Node& node) const;

  graph::Graph& graph_;
  const ImportOptions& options_;
  Names names_;
  std::set<std::string> confined_;
  size_t depth_ = 0;  // bodies around the node that is read
};

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_NODES_H_
