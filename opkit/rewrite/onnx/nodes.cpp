#include "opkit/rewrite/onnx/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>

#include "opkit/base/suggest.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/control.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/operators.h"
#include "opkit/reference/types.h"
#include "opkit/rewrite/onnx/attributes.h"
#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/runtime_nodes.h"
#include "opkit/rewrite/onnx/sequences.h"

namespace opkit::onnx_frontend {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

namespace {

constexpr int kFirstScanWithoutBatch = 9;
constexpr size_t kMostNested = 8;  // is as many as an offline model has

// Weights need not be there twice.
void release(onnx::TensorProto& tensor) {
  const std::unique_ptr<std::string> bytes(tensor.release_raw_data());
}

bool is_graph(const onnx::AttributeProto& attribute) {
  return attribute.type() == onnx::AttributeProto::GRAPH;
}

Error no_parser(const Node& node) {
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

// Names that the body reads and does not define, in the order of their use.
std::vector<std::string> outer_names(const Graph& body) {
  std::set<std::string> own(body.inputs.begin(), body.inputs.end());
  for (const Node& node : body.nodes) own.insert(node.outputs.begin(), node.outputs.end());
  std::vector<std::string> outer;
  const auto read = [&](const std::string& name) {
    if (!name.empty() && own.insert(name).second) outer.push_back(name);
  };
  for (const Node& node : body.nodes) std::for_each(node.inputs.begin(), node.inputs.end(), read);
  std::for_each(body.outputs.begin(), body.outputs.end(), read);
  return outer;
}

// Tells whether a value is said to be something else than a tensor. Exporters leave types empty.
bool is_no_tensor(const onnx::ValueInfoProto& value) {
  return value.has_type() && value.type().value_case() != onnx::TypeProto::VALUE_NOT_SET &&
         !value.type().has_tensor_type();
}

// Returns what it is.
std::string kind_of(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return "a sequence";
  if (type.has_optional_type()) return "an optional value";
  return "no tensor";
}

}  // namespace

Error at_node(Error error, const onnx::NodeProto& node) {
  const std::string output = node.output_size() > 0 ? node.output(0) : "";
  error.trail.push_back(
      fmt::format("node {} ({})", node.name().empty() ? output : node.name(), node.op_type()));
  return error;
}

void NodeReader::own_names(const onnx::GraphProto& inner, const std::string& stem) {
  const auto own = [&](const std::string& name) {
    if (!name.empty()) names_[name] = stem + "/" + name;
  };
  for (const auto& input : inner.input()) own(input.name());
  for (const auto& tensor : inner.initializer()) own(tensor.name());
  for (const auto& node : inner.node()) {
    for (const std::string& output : node.output()) own(output);
  }
}

const std::string& NodeReader::named(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? name : found->second;
}

std::vector<std::string> NodeReader::named(
    const google::protobuf::RepeatedPtrField<std::string>& all) const {
  std::vector<std::string> names;
  for (const std::string& name : all) names.push_back(named(name));
  return names;
}

Status NodeReader::take_initializers(onnx::GraphProto& graph) {
  if (graph.sparse_initializer_size() > 0)
    return unsupported("the model has sparse initializers", "export it with dense weights");
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    OPKIT_TRY(Constant constant, constant_of(tensor, options_.folder));
    OPKIT_CHECK(add(named(tensor.name()), std::move(constant)));
    release(tensor);
  }
  return {};
}

Status NodeReader::add(const std::string& name, Constant constant) {
  if (graph_.values.count(name) > 0)
    return Error(graph::kDefinedTwice, fmt::format("'{}' is defined twice", name),
                 "give every value a name of its own");
  if (constant.confined) confined_.insert(name);
  graph_.add_constant(name, std::move(constant.tensor));
  return {};
}

bool NodeReader::is_constant(const onnx::NodeProto& proto) {
  return is_standard(proto.domain()) && proto.op_type() == "Constant" && proto.output_size() == 1;
}

Status NodeReader::take_constant(onnx::NodeProto& proto) {
  if (proto.attribute_size() == 1 && proto.attribute(0).type() == onnx::AttributeProto::TENSOR) {
    OPKIT_TRY(Constant constant, constant_of(proto.attribute(0).t(), options_.folder));
    release(*proto.mutable_attribute(0)->mutable_t());
    return add(named(proto.output(0)), std::move(constant));
  }
  OPKIT_TRY(const Node node, plain_node(proto));
  OPKIT_TRY(std::vector<RefTensor> values, reference::evaluate_node(node, {}, graph_.opset));
  return add(named(proto.output(0)), {std::move(values[0]), false});
}

Result<std::vector<Node>> NodeReader::read(onnx::NodeProto& proto) {
  if (proto.domain() == kRuntimeDomain && is_of_runtime(proto.op_type())) {
    OPKIT_TRY(Node node, plain_node(proto));
    node.op_type = proto.op_type();
    return runtime_nodes(std::move(node), graph_);
  }
  OPKIT_TRY(Node node, one_node(proto));
  return std::vector<Node>{std::move(node)};
}

Result<Node> NodeReader::one_node(onnx::NodeProto& proto) {
  if (is_standard(proto.domain()) && graph::has_bodies(proto.op_type()))
    return node_with_bodies(proto);
  if (is_standard(proto.domain()) && is_of_sequences(proto.op_type()))
    return unsupported("a body has a sequence of tensors",
                       "export the model with Split, Gather and Concat in place of sequences");
  OPKIT_TRY(Node node, plain_node(proto));
  const bool known = reference::find_operator(node.op_type) != nullptr;
  if (reference::is_opaque(node.op_type) || (!known && !options_.keep_unknown))
    return no_parser(node);
  return node;
}

Result<Node> NodeReader::plain_node(const onnx::NodeProto& proto) const {
  Node node;
  node.op_type =
      is_standard(proto.domain()) ? proto.op_type() : proto.domain() + "." + proto.op_type();
  node.name = proto.name();
  node.inputs = named(proto.input());
  node.outputs = named(proto.output());
  OPKIT_TRY(node.attributes, attributes_of(proto));
  return node;
}

namespace {

using Bodies = std::vector<std::pair<std::string, Graph>>;

// Takes the graphs out of a node's attributes.
std::map<std::string, onnx::GraphProto> taken_graphs(onnx::NodeProto& proto) {
  std::map<std::string, onnx::GraphProto> graphs;
  auto& attributes = *proto.mutable_attribute();
  for (int a = attributes.size(); a-- > 0;) {
    if (!is_graph(attributes[a])) continue;
    graphs[attributes[a].name()].Swap(attributes[a].mutable_g());
    attributes.DeleteSubrange(a, 1);
  }
  return graphs;
}

// Gives the node its bodies, all with the same captured inputs.
Status set_bodies(Bodies bodies, Node& node) {
  std::vector<std::string> captured;
  for (const auto& [attribute, graph] : bodies) {
    for (const std::string& name : outer_names(graph)) {
      if (std::find(captured.begin(), captured.end(), name) == captured.end())
        captured.push_back(name);
    }
  }
  node.attributes[graph::kCaptured] = static_cast<int64_t>(captured.size());
  node.inputs.insert(node.inputs.end(), captured.begin(), captured.end());
  for (auto& [attribute, graph] : bodies) {
    graph.inputs.insert(graph.inputs.end(), captured.begin(), captured.end());
    OPKIT_CHECK(graph::sort_nodes(graph));
    OPKIT_CHECK(graph::validate(graph));
    graph::set_body(node, attribute, graph);
    auto ports = reference::ports_of(node, graph);
    if (!ports.ok()) return std::move(ports).error();
  }
  return {};
}

}  // namespace

Result<Node> NodeReader::node_with_bodies(onnx::NodeProto& proto) {
  if (proto.op_type() == "Scan" && graph_.opset < kFirstScanWithoutBatch)
    return unsupported("a Scan of opset 8 goes through a batch of sequences",
                       "export the model with opset 9 or later");
  if (depth_ == kMostNested)
    return unsupported(fmt::format("more than {} bodies lie inside each other", kMostNested),
                       "export the model with fewer of them");
  std::map<std::string, onnx::GraphProto> graphs = taken_graphs(proto);
  OPKIT_TRY(Node node, plain_node(proto));
  const auto result = std::find_if(node.outputs.begin(), node.outputs.end(),
                                   [](const std::string& name) { return !name.empty(); });
  if (result == node.outputs.end())
    return unsupported("nobody reads any of its outputs", "export the model again");
  const std::string stem = *result;  // no other node has it
  Bodies bodies;
  for (const std::string& attribute : graph::bodies_of(node.op_type)) {
    const auto found = graphs.find(attribute);
    if (found == graphs.end())
      return unsupported(fmt::format("it has no {}", attribute), "export the model again");
    const Names around = names_;
    ++depth_;
    auto made = body(found->second, fmt::format("{}/{}", stem, attribute), node.op_type == "Loop");
    --depth_;
    names_ = around;
    if (!made.ok()) return std::move(made).error();
    bodies.emplace_back(attribute, std::move(*made));
  }
  OPKIT_CHECK(set_bodies(std::move(bodies), node));
  return node;
}

Result<Graph> NodeReader::body(onnx::GraphProto& proto, const std::string& stem, bool counts) {
  Graph body;
  body.name = stem;
  body.opset = graph_.opset;
  own_names(proto, stem);
  OPKIT_CHECK(take_body_inputs(proto, counts, body));
  OPKIT_CHECK(take_initializers(proto));
  OPKIT_CHECK(take_body_nodes(proto, body));
  for (const auto& output : proto.output()) {
    if (is_no_tensor(output))
      return unsupported(
          fmt::format("output '{}' of its body is {}", output.name(), kind_of(output.type())),
          "use tensors in place of sequences, maps and optionals");
    body.outputs.push_back(named(output.name()));
  }
  return body;
}

// Takes a body's inputs: what the node is given says more than what the file declares, but for the
// rank of counters.
Status NodeReader::take_body_inputs(const onnx::GraphProto& proto, bool counts, Graph& body) const {
  for (const auto& input : proto.input()) {
    const std::string& name = named(input.name());
    body.inputs.push_back(name);
    if (is_no_tensor(input))
      return unsupported(
          fmt::format("input '{}' of its body is {}", input.name(), kind_of(input.type())),
          "use tensors in place of sequences, maps and optionals");
    if (!input.type().has_tensor_type()) continue;
    const auto& type = input.type().tensor_type();
    const auto dtype = reference::dtype_from_onnx(type.elem_type());
    graph::ValueInfo& value = body.values[name];
    value.dtype = dtype.value_or(DType::kUndefined);
    const bool counter = counts && body.inputs.size() <= 2;
    if (counter && type.has_shape())
      value.shape = type.shape().dim_size() == 1 ? Shape{1} : Shape{};
  }
  return {};
}

Status NodeReader::take_body_nodes(onnx::GraphProto& proto, Graph& body) {
  for (onnx::NodeProto& node : *proto.mutable_node()) {
    if (is_constant(node)) {
      Status taken = take_constant(node);
      if (!taken.ok()) return at_node(std::move(taken).error(), node);
      continue;
    }
    auto made = read(node);
    if (!made.ok()) return at_node(std::move(made).error(), node);
    std::move(made->begin(), made->end(), std::back_inserter(body.nodes));
  }
  return {};
}

Status NodeReader::check_confined() const {
  if (confined_.empty()) return {};
  for (const Node& node : graph_.nodes) OPKIT_CHECK(check_reader(node));
  for (const std::string& output : graph_.outputs) {
    if (confined_.count(output) > 0)
      return bad_tensor(fmt::format("output '{}' has an integer beyond 2^53", output));
  }
  return {};
}

// A Loop of so many iterations has no end that anybody would see.
Status NodeReader::check_reader(const Node& node) const {
  for (size_t i = 0; i < graph::own_inputs(node); ++i) {
    if (confined_.count(node.inputs[i]) == 0) continue;
    if (node.op_type == "Slice" && (i == 1 || i == 2)) continue;
    if (node.op_type == "Loop" && i == 0) continue;
    return bad_tensor(fmt::format("constant '{}', which {} reads, has an integer beyond 2^53",
                                  node.inputs[i], node.op_type));
  }
  return check_captured(node);
}

// Captured values have one name inside and outside.
Status NodeReader::check_captured(const Node& node) const {
  const auto is_confined = [&](const std::string& name) { return confined_.count(name) > 0; };
  if (std::none_of(node.inputs.begin(), node.inputs.end(), is_confined)) return {};
  for (const std::string& attribute : graph::bodies_of(node.op_type)) {
    OPKIT_TRY(const Graph body, graph::body_of(node, attribute));
    for (const Node& inner : body.nodes) OPKIT_CHECK(check_reader(inner));
    for (const std::string& output : body.outputs) {
      if (is_confined(output))
        return bad_tensor(fmt::format("output '{}' has an integer beyond 2^53", output));
    }
  }
  return {};
}

}  // namespace opkit::onnx_frontend
