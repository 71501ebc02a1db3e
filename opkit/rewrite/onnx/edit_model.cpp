#include "opkit/rewrite/onnx/edit_model.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "opkit/reference/tensor.h"
#include "opkit/rewrite/onnx/parse_message.h"
#include "opkit/rewrite/onnx/read_model.h"
#include "opkit/rewrite/onnx/refusals.h"
#include "opkit/rewrite/onnx/tensors.h"
#include "opkit/rewrite/onnx/write_model.h"

namespace opkit::onnx_frontend {
namespace {

using graph::RefTensor;

// Since this version of the format weights need not be inputs; with it came opset 13's ONNX.
constexpr int64_t kFormatOfFreeWeights = 4, kFormatOfEdited = 7;

Status take_in(onnx::TensorProto& tensor, const std::filesystem::path& folder) {
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return {};
  OPKIT_TRY(const Tensor stored, stored_tensor(tensor, folder));
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(stored.data(), stored.size_bytes());
  return {};
}

class Editor {
 public:
  explicit Editor(onnx::ModelProto& model) : model_(model), graph_(*model.mutable_graph()) {}

  Status apply(const ModelEdit& edit) {
    raise_format();
    for (const NodeChange& change : edit.changes) OPKIT_CHECK(apply(change));
    drop_nodes();
    for (const auto& [name, tensor] : edit.constants) OPKIT_CHECK(add(name, tensor));
    for (const graph::Node& node : edit.nodes) add(node);
    drop_dead();
    sort();
    return {};
  }

 private:
  // An initializer that is an input, too, could be given by the caller: a quantized one could not.
  void raise_format() {
    if (model_.ir_version() < kFormatOfFreeWeights) {
      std::set<std::string> weights;
      for (const auto& tensor : graph_.initializer()) weights.insert(tensor.name());
      auto& inputs = *graph_.mutable_input();
      inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                                  [&](const auto& one) { return weights.count(one.name()) > 0; }),
                   inputs.end());
    }
    model_.set_ir_version(std::max<int64_t>(model_.ir_version(), kFormatOfEdited));
  }

  Status apply(const NodeChange& change) {
    if (places_.empty()) {
      for (int n = 0; n < graph_.node_size(); ++n) {
        if (graph_.node(n).output_size() > 0) places_.emplace(graph_.node(n).output(0), n);
      }
    }
    const auto found = places_.find(change.node);
    if (found == places_.end())
      return Error(kBadInput, fmt::format("the model has no node that gives '{}'", change.node),
                   "leave out the layer");
    if (change.drop) {
      dropped_.insert(found->second);
      return {};
    }
    onnx::NodeProto& node = *graph_.mutable_node(found->second);
    node.clear_input();
    for (const std::string& input : change.inputs) node.add_input(input);
    node.clear_output();
    for (const std::string& output : change.outputs) node.add_output(output);
    return {};
  }

  void drop_nodes() {
    keep_nodes([&](int n) { return dropped_.count(n) == 0; });
  }

  template <typename Keep>
  void keep_nodes(const Keep& keep) {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
    for (int n = 0; n < graph_.node_size(); ++n) {
      if (keep(n)) kept.Add()->Swap(graph_.mutable_node(n));
    }
    graph_.mutable_node()->Swap(&kept);
  }

  Status add(const std::string& name, const RefTensor& tensor) {
    OPKIT_TRY(const Tensor stored, reference::to_tensor(tensor));
    onnx::TensorProto& proto = *graph_.add_initializer();
    proto.set_name(name);
    proto.set_data_type(onnx_type(tensor.dtype));
    for (const int64_t dim : tensor.shape.dims()) proto.add_dims(dim);
    proto.set_raw_data(stored.data(), stored.size_bytes());
    return {};
  }

  void add(const graph::Node& node) {
    onnx::NodeProto& proto = *graph_.add_node();
    proto.set_op_type(node.op_type);
    proto.set_name(node.name);
    for (const std::string& input : node.inputs) proto.add_input(input);
    for (const std::string& output : node.outputs) proto.add_output(output);
    for (const auto& [name, value] : node.attributes) {
      onnx::AttributeProto& attribute = *proto.add_attribute();
      attribute.set_name(name);
      attribute.set_type(onnx::AttributeProto::INT);
      attribute.set_i(std::get<int64_t>(value));
    }
  }

  // Collects what a node and the branches inside it read.
  static void read_by(const onnx::NodeProto& node, std::unordered_set<std::string>& read) {
    for (const std::string& input : node.input()) read.insert(input);
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      for (const auto& inner : attribute.g().node()) read_by(inner, read);
      for (const auto& output : attribute.g().output()) read.insert(output.name());
    }
  }

  void drop_dead() {
    for (bool any = true; any;) {
      std::unordered_set<std::string> read;
      for (const auto& output : graph_.output()) read.insert(output.name());
      for (const auto& node : graph_.node()) read_by(node, read);
      const int before = graph_.node_size();
      keep_nodes([&](int n) {
        const auto& outputs = graph_.node(n).output();
        return std::any_of(outputs.begin(), outputs.end(),
                           [&](const std::string& name) { return read.count(name) > 0; });
      });
      any = graph_.node_size() < before;
      if (!any) drop_weights(read);
    }
  }

  void drop_weights(const std::unordered_set<std::string>& read) {
    std::unordered_set<std::string> gone;
    auto& weights = *graph_.mutable_initializer();
    for (const auto& tensor : weights) {
      if (read.count(tensor.name()) == 0) gone.insert(tensor.name());
    }
    const auto is_gone = [&](const auto& one) { return gone.count(one.name()) > 0; };
    weights.erase(std::remove_if(weights.begin(), weights.end(), is_gone), weights.end());
    auto& inputs = *graph_.mutable_input();
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(), is_gone), inputs.end());
    drop_infos(read);
  }

  // Types and shapes that are stated of values which are no more.
  void drop_infos(std::unordered_set<std::string> known) {
    for (const auto& node : graph_.node()) known.insert(node.output().begin(), node.output().end());
    auto& infos = *graph_.mutable_value_info();
    infos.erase(std::remove_if(infos.begin(), infos.end(),
                               [&](const auto& one) { return known.count(one.name()) == 0; }),
                infos.end());
  }

  // Puts every node behind those that it reads; otherwise the order stays.
  void sort() {
    std::unordered_map<std::string, int> maker;
    for (int n = 0; n < graph_.node_size(); ++n) {
      for (const std::string& output : graph_.node(n).output()) {
        if (!output.empty()) maker.emplace(output, n);
      }
    }
    std::vector<int> order;
    std::vector<char> state(static_cast<size_t>(graph_.node_size()));  // 1: open, 2: placed
    for (int n = 0; n < graph_.node_size(); ++n) place(n, maker, state, order);
    google::protobuf::RepeatedPtrField<onnx::NodeProto> sorted;
    for (const int n : order) sorted.Add()->Swap(graph_.mutable_node(n));
    graph_.mutable_node()->Swap(&sorted);
  }

  void place(int first, const std::unordered_map<std::string, int>& maker, std::vector<char>& state,
             std::vector<int>& order) const {
    std::vector<int> open = {first};
    while (!open.empty()) {
      const int n = open.back();
      char& seen = state[static_cast<size_t>(n)];
      if (seen == 2) {
        open.pop_back();
        continue;
      }
      const bool again = seen == 1;
      seen = 1;
      if (!again) {
        std::unordered_set<std::string> read;
        read_by(graph_.node(n), read);
        for (const std::string& input : graph_.node(n).input()) push(input, maker, state, open);
        for (const std::string& input : read) push(input, maker, state, open);
        continue;
      }
      seen = 2;
      order.push_back(n);
      open.pop_back();
    }
  }

  static void push(const std::string& name, const std::unordered_map<std::string, int>& maker,
                   const std::vector<char>& state, std::vector<int>& open) {
    const auto found = maker.find(name);
    if (found != maker.end() && state[static_cast<size_t>(found->second)] == 0)
      open.push_back(found->second);
  }

  onnx::ModelProto& model_;
  onnx::GraphProto& graph_;
  std::unordered_map<std::string, int> places_;
  std::set<int> dropped_;
};

}  // namespace

Result<std::string> self_contained(std::string_view bytes, const std::filesystem::path& folder) {
  OPKIT_TRY(onnx::ModelProto model, read_model(bytes, true));
  if (opset_of_model(model) > kNewestOpset) {
    OPKIT_TRY(model, read_model(bytes, false));  // says which versions are read
  }
  for (auto& tensor : *model.mutable_graph()->mutable_initializer())
    OPKIT_CHECK(take_in(tensor, folder));
  return written(model);
}

Result<std::vector<std::string>> nodes_of_file(std::string_view bytes) {
  OPKIT_TRY(const auto model, parse_message<onnx::ModelProto>(bytes, "ONNX model"));
  std::vector<std::string> names;
  for (const auto& node : model.graph().node())
    names.push_back(node.output_size() > 0 ? node.output(0) : std::string());
  return names;
}

Result<std::vector<FileInput>> inputs_of_file(std::string_view bytes) {
  OPKIT_TRY(const auto model, parse_message<onnx::ModelProto>(bytes, "ONNX model"));
  std::set<std::string> weights;
  for (const auto& tensor : model.graph().initializer()) weights.insert(tensor.name());
  std::vector<FileInput> inputs;
  for (const auto& input : model.graph().input()) {
    if (weights.count(input.name()) > 0) continue;
    FileInput one{input.name(), std::nullopt};
    const auto& type = input.type().tensor_type();
    if (type.has_shape()) {
      one.dims.emplace();
      for (const auto& dim : type.shape().dim())
        one.dims->push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value()
                                                                        : kUnknownDim);
    }
    inputs.push_back(std::move(one));
  }
  return inputs;
}

Result<std::string> edit_model(std::string_view bytes, const ModelEdit& edit) {
  OPKIT_TRY(onnx::ModelProto model, parse_message<onnx::ModelProto>(bytes, "ONNX model"));
  OPKIT_CHECK(Editor(model).apply(edit));
  return written(model);
}

}  // namespace opkit::onnx_frontend
