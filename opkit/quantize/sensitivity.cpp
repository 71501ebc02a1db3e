#include "opkit/quantize/sensitivity.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "opkit/quantize/write_qdq.h"
#include "opkit/reference/tensor.h"

namespace opkit::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;
using onnx_frontend::ModelEdit;
using onnx_frontend::NodeChange;
using reference::NamedTensors;

Status apply_edit(const ModelEdit& edit, Graph& graph) {
  std::unordered_map<std::string, const NodeChange*> changes;
  for (const NodeChange& change : edit.changes) changes.emplace(change.node, &change);
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    const auto found = node.outputs.empty() ? changes.end() : changes.find(node.outputs[0]);
    if (found != changes.end() && found->second->drop) continue;
    if (found != changes.end()) {
      node.inputs = found->second->inputs;
      node.outputs = found->second->outputs;
    }
    nodes.push_back(std::move(node));
  }
  nodes.insert(nodes.end(), edit.nodes.begin(), edit.nodes.end());
  graph.nodes = std::move(nodes);
  for (const auto& [name, tensor] : edit.constants) graph.add_constant(name, tensor);
  return graph::sort_nodes(graph);
}

RefTensor in_half(RefTensor tensor) {
  for (double& value : tensor.values) value = reference::rounded_to(DType::kFloat16, value);
  return tensor;
}

// Lets a layer read, hold and give values that float16 holds.
void add_half(const QuantizedLayer& one, const Graph& graph, ModelEdit& edit) {
  const auto cast = [&](const std::string& from, const std::string& to, const std::string& type) {
    edit.nodes.push_back({"Cast", {from}, {to}, {{"to", type}}, to});
  };
  const Layer& layer = one.layer;
  const std::string stem = layer.result + "/half";
  cast(layer.data, stem + "/data16", "float16");
  cast(stem + "/data16", stem + "/data", "float32");
  const Node& before = graph.nodes[layer.node];
  NodeChange change{before.outputs[0], false, before.inputs, before.outputs};
  change.inputs[0] = stem + "/data";
  change.inputs[1] = stem + "/weights";
  edit.constants.emplace_back(stem + "/weights", in_half(layer.weights));
  if (layer.bias && layer.sum == kNoNode) {
    change.inputs.resize(3);
    change.inputs[2] = stem + "/bias";
    edit.constants.emplace_back(stem + "/bias", in_half(*layer.bias));
  }
  if (layer.norm != kNoNode)
    edit.changes.push_back({graph.nodes[layer.norm].outputs[0], true, {}, {}});
  const std::string given = layer.sum == kNoNode ? layer.result : before.outputs[0];
  change.outputs[0] = stem + "/result32";
  edit.changes.push_back(std::move(change));
  cast(stem + "/result32", stem + "/result16", "float16");
  cast(stem + "/result16", given, "float32");
}

// Lists everything that depends on the layer's own product.
std::unordered_set<std::string> dependents(const Graph& graph, const Layer& layer) {
  std::unordered_set<std::string> found(graph.nodes[layer.node].outputs.begin(),
                                        graph.nodes[layer.node].outputs.end());
  for (size_t n = layer.node + 1; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const bool depends = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const std::string& in) { return found.count(in) > 0; });
    if (depends) found.insert(node.outputs.begin(), node.outputs.end());
  }
  return found;
}

// Distances of the outputs with one layer in one type; what does not depend on it is given.
Result<std::map<std::string, Distance>> distances(const Walk& changed, const Graph& graph,
                                                  const Layer& layer, NamedTensors& all) {
  NamedTensors away, results;
  for (const std::string& value : dependents(graph, layer)) {
    if (auto taken = all.extract(value)) away.insert(std::move(taken));
  }
  auto computed = changed.compute(graph.outputs, all);
  all.merge(away);
  if (!computed.ok()) return std::move(computed).error();
  std::map<std::string, Distance> found;
  for (const std::string& output : graph.outputs) {
    const RefTensor &x = all.at(output), &y = computed->at(output);
    if (is_float(x.dtype) && x.elements() == y.elements()) found[output].add(x, y);
  }
  return found;
}

class Sensitivity {
 public:
  Sensitivity(const Walk& walk, const Int8Model& quantization)
      : walk_(walk), quantization_(quantization), sums_(quantization.layers.size()) {}

  Status make_variants() {
    const size_t count = quantization_.layers.size();
    for (size_t i = 0; i < count; ++i) {
      for (const Kind kind : {Kind::kInt8, Kind::kHalf}) {
        std::vector<Kind> kinds(count, Kind::kSingle);
        kinds[i] = kind;
        OPKIT_TRY(Graph graph, mixed_graph(walk_, quantization_, kinds));
        graphs_.push_back(std::make_unique<Graph>(std::move(graph)));
        OPKIT_TRY(Walk made, Walk::make(*graphs_.back()));
        walks_.push_back(std::move(made));
      }
    }
    return {};
  }

  Status add(const NamedTensors& inputs, const std::function<void()>& advance) {
    NamedTensors all = inputs;
    OPKIT_CHECK(walk_.run(inputs, [&](const std::string& name, const RefTensor& tensor) -> Status {
      all.emplace(name, tensor);
      return {};
    }));
    for (size_t i = 0; i < sums_.size(); ++i) {
      for (size_t k = 0; k < 2; ++k) {
        OPKIT_TRY(const auto found,
                  distances(walks_[2 * i + k], walk_.graph(), quantization_.layers[i].layer, all));
        const std::lock_guard guard(lock_);
        for (const auto& [output, distance] : found) sums_[i][k][output].add(distance);
      }
      advance();
    }
    return {};
  }

  LayerNoise take() const {
    LayerNoise noise(sums_.size());
    for (size_t i = 0; i < sums_.size(); ++i) {
      for (size_t k = 0; k < 2; ++k) {
        for (const auto& [output, distance] : sums_[i][k])
          noise[i][k] = std::max(noise[i][k], distance.relative());
      }
    }
    return noise;
  }

 private:
  const Walk& walk_;
  const Int8Model& quantization_;
  std::vector<std::array<std::map<std::string, Distance>, 2>> sums_;
  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<Walk> walks_;
  std::mutex lock_;
};

}  // namespace

Int8Model int8_part(const Walk& walk, const Int8Model& quantization, const std::vector<Kind>& kinds,
                    Between between) {
  Int8Model part;
  part.left_out = quantization.left_out;
  std::vector<Layer> layers;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const QuantizedLayer& one = quantization.layers[i];
    if (kinds[i] == Kind::kInt8) {
      part.layers.push_back(one);
      layers.push_back(one.layer);
    } else {
      part.left_out.push_back(
          {one.layer.name, one.layer.op_type, "computes in " + std::string(name_of(kinds[i]))});
    }
  }
  part.region = find_region(walk, layers, between);
  std::erase_if(part.region.values,
                [&](const auto& value) { return quantization.scales.count(value.first) == 0; });
  for (const auto& [value, group] : part.region.values)
    part.scales[value] = quantization.scales.at(value);
  return part;
}

Result<Graph> mixed_graph(const Walk& walk, const Int8Model& quantization,
                          const std::vector<Kind>& kinds) {
  ModelEdit edit = qdq_edit(walk, int8_part(walk, quantization, kinds, Between::kNothing));
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == Kind::kHalf) add_half(quantization.layers[i], walk.graph(), edit);
  }
  Graph graph = walk.graph();
  OPKIT_CHECK(apply_edit(edit, graph));
  return graph;
}

Result<LayerNoise> layer_noise(const Walk& walk, const Int8Model& quantization,
                               const Samples& samples, size_t most, unsigned threads,
                               const Advance& advance) {
  Sensitivity sensitivity(walk, quantization);
  OPKIT_CHECK(sensitivity.make_variants());
  std::mutex lock;
  size_t done = 0;
  OPKIT_CHECK(in_threads(std::min(most, samples.count()), threads, [&](size_t sample) -> Status {
    OPKIT_TRY(const NamedTensors inputs, samples.named(sample));
    return sensitivity.add(inputs, [&] {
      const std::lock_guard guard(lock);
      advance(++done);
    });
  }));
  return sensitivity.take();
}

std::vector<std::pair<size_t, size_t>> layer_edges(const Walk& walk,
                                                   const Int8Model& quantization) {
  std::unordered_map<std::string, size_t> givers;
  for (size_t i = 0; i < quantization.layers.size(); ++i)
    givers.emplace(quantization.layers[i].layer.result, i);
  std::vector<std::pair<size_t, size_t>> edges;
  for (size_t i = 0; i < quantization.layers.size(); ++i) {
    std::vector<std::string> open = {quantization.layers[i].layer.data};
    std::set<std::string> seen;
    while (!open.empty()) {
      const std::string value = open.back();
      open.pop_back();
      if (!seen.insert(value).second) continue;
      const auto giver = givers.find(value);
      if (giver != givers.end()) {
        edges.emplace_back(giver->second, i);
        continue;
      }
      if (const Node* node = walk.maker(value); node != nullptr && walk.depends_on_input(value))
        open.insert(open.end(), node->inputs.begin(), node->inputs.end());
    }
  }
  return edges;
}

}  // namespace opkit::quantize
