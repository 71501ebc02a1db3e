#include "opkit/rewrite/onnx/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "opkit/graph/node_name.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/refusals.h"

namespace opkit::onnx_frontend {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr int kFirstWithOperands = 13;  // axes and sizes are operands since then
constexpr int64_t kMostTensors = 4096;  // limits a sequence

int64_t whole_number(const Node& node, const char* attribute, int64_t otherwise) {
  const auto found = node.attributes.find(attribute);
  const auto* value =
      found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return value == nullptr ? otherwise : *value;
}

bool is_given(const Node& node, size_t input) {
  return input < node.inputs.size() && !node.inputs[input].empty();
}

RefTensor integers_tensor(const std::vector<int64_t>& values) {
  return {DType::kInt64, Shape{static_cast<int64_t>(values.size())},
          std::vector<double>(values.begin(), values.end())};
}

Node made(const std::string& op, std::vector<std::string> inputs, std::vector<std::string> outputs,
          std::map<std::string, graph::Attribute> attributes = {}) {
  return {op, std::move(inputs), std::move(outputs), std::move(attributes)};
}

Error at_sequence(const Node& node, std::string what, std::string action) {
  return unsupported(std::move(what), std::move(action))
      .with(fmt::format("node {} ({})", graph::name_of(node), node.op_type));
}

// One part for each place along the axis, without that dim.
void add_slices(const std::string& whole, const std::vector<std::string>& parts, int64_t axis,
                Graph& graph) {
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string index = parts[i] + "/index";
    graph.add_constant(index, {DType::kInt64, Shape{}, {static_cast<double>(i)}});
    graph.nodes.push_back(made("Gather", {whole, index}, {parts[i]}, {{"axis", axis}}));
  }
}

void add_split(const Node& node, const std::vector<std::string>& parts, int64_t axis,
               const std::vector<int64_t>& sizes, Graph& graph) {
  Node cut = made("Split", {node.inputs[0]}, parts, {{"axis", axis}});
  if (graph.opset < kFirstWithOperands) {
    cut.attributes["split"] = sizes;
  } else {
    cut.inputs.push_back(node.outputs[0] + "/sizes");
    graph.add_constant(cut.inputs[1], integers_tensor(sizes));
  }
  graph.nodes.push_back(std::move(cut));
}

// Returns how many operands must be there.
size_t least_operands(const std::string& op_type) {
  if (op_type == "SequenceEmpty") return 0;
  return op_type == "SequenceAt" || op_type == "SequenceInsert" ? 2 : 1;
}

Status check_operands(const Node& node) {
  bool fits = node.outputs.size() == 1 && !node.outputs[0].empty() &&
              node.inputs.size() <= static_cast<size_t>(kMostTensors);
  for (size_t i = 0; i < least_operands(node.op_type); ++i) fits = fits && is_given(node, i);
  if (fits) return {};
  return at_sequence(
      node, fmt::format("{} operands and {} results", node.inputs.size(), node.outputs.size()),
      "export the model again");
}

}  // namespace

// What is known of tensors before they are computed.
struct Sequences::Known {
  Graph graph;

  const Shape* shape(const std::string& name) const {
    const auto found = graph.values.find(name);
    return found == graph.values.end() || !found->second.shape ? nullptr : &*found->second.shape;
  }
  // Elements of an operand as integers.
  std::optional<std::vector<int64_t>> integers(const std::string& name) const {
    const auto values = reference::known_values(graph, {name});
    if (!values.ok() || (*values)[0] == nullptr) return std::nullopt;
    std::vector<int64_t> all;
    for (const double value : (*values)[0]->values) all.push_back(static_cast<int64_t>(value));
    return all;
  }
  bool is_scalar(const std::string& name) const {
    const Shape* known = shape(name);
    return known != nullptr && known->rank() == 0;
  }
};

bool is_of_sequences(std::string_view op_type) {
  static constexpr std::array<std::string_view, 8> kOperators = {
      "ConcatFromSequence", "SequenceAt",     "SequenceConstruct", "SequenceEmpty",
      "SequenceErase",      "SequenceInsert", "SequenceLength",    "SplitToSequence"};
  return std::find(kOperators.begin(), kOperators.end(), op_type) != kOperators.end();
}

Status Sequences::resolve(Graph& graph) {
  for (bool any = true; any && !open_.empty();) {
    any = false;
    OPKIT_CHECK(graph::sort_nodes(graph));
    Known known{graph};
    OPKIT_CHECK(reference::infer(known.graph));
    std::vector<Node> left;
    for (Node& node : open_) {
      OPKIT_TRY(const bool said, say(node, known, graph));
      any = any || said;
      if (!said) left.push_back(std::move(node));
    }
    open_ = std::move(left);
  }
  return {};
}

Status Sequences::check_resolved() const {
  if (open_.empty()) return {};
  return at_sequence(open_[0],
                     "data decide how long a sequence is, or which of its tensors is meant",
                     "export the model with Split, Gather and Concat in place of sequences");
}

Result<bool> Sequences::say(const Node& node, const Known& known, Graph& graph) {
  OPKIT_CHECK(check_operands(node));
  if (node.op_type == "SplitToSequence") return split(node, known, graph);
  if (node.op_type == "SequenceConstruct" || node.op_type == "SequenceEmpty") {
    sequences_[node.outputs[0]] = node.inputs;
    return true;
  }
  if (node.inputs.empty() || sequences_.count(node.inputs[0]) == 0) return false;
  if (node.op_type == "SequenceInsert" || node.op_type == "SequenceErase")
    return change(node, known);
  if (node.op_type == "SequenceLength") {
    const auto length = static_cast<double>(sequences_[node.inputs[0]].size());
    graph.add_constant(node.outputs[0], {DType::kInt64, Shape{}, {length}});
    return true;
  }
  if (node.op_type == "SequenceAt") return take_tensor(node, known, graph);
  return concat(node, graph);
}

// Returns the sizes of a SplitToSequence's parts along its axis; nothing: they are not known.
// Without stated ones every part is one thick.
Result<std::optional<std::vector<int64_t>>> Sequences::sizes_of(const Node& node,
                                                                const Known& known,
                                                                int64_t length) const {
  using Sizes = std::optional<std::vector<int64_t>>;
  std::vector<int64_t> sizes(static_cast<size_t>(std::clamp<int64_t>(length, 0, kMostTensors)), 1);
  if (is_given(node, 1)) {
    const auto stated = known.integers(node.inputs[1]);
    if (!stated || stated->empty()) return Sizes();
    sizes = *stated;
    if (known.is_scalar(node.inputs[1])) {
      const int64_t chunk = std::max<int64_t>(sizes[0], 1);
      sizes.assign(static_cast<size_t>(std::clamp<int64_t>(length / chunk, 0, kMostTensors)),
                   chunk);
      if (length % chunk > 0) sizes.push_back(length % chunk);
    }
  }
  if (length >= 0 && std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) == length)
    return Sizes(std::move(sizes));
  return at_sequence(node, fmt::format("{} parts do not make up a dim of {}", sizes.size(), length),
                     fmt::format("give sizes that do, at most {} of them", kMostTensors));
}

// Parts of one lose their dim unless they keep it.
Result<bool> Sequences::split(const Node& node, const Known& known, Graph& graph) {
  const Shape* shape = known.shape(node.inputs[0]);
  if (shape == nullptr || shape->rank() == 0) return false;
  const auto rank = static_cast<int64_t>(shape->rank());
  int64_t axis = whole_number(node, "axis", 0);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return at_sequence(node, fmt::format("axis {} of a tensor of rank {}", axis, rank),
                       "export the model again");
  OPKIT_TRY(const auto sizes, sizes_of(node, known, (*shape)[static_cast<size_t>(axis)]));
  if (!sizes) return false;
  Tensors parts;
  for (size_t i = 0; i < sizes->size(); ++i)
    parts.push_back(fmt::format("{}/{}", node.outputs[0], i));
  const bool drops = !is_given(node, 1) && whole_number(node, "keepdims", 1) == 0;
  if (drops) {
    add_slices(node.inputs[0], parts, axis, graph);
  } else if (!parts.empty()) {
    add_split(node, parts, axis, *sizes, graph);
  }
  sequences_[node.outputs[0]] = std::move(parts);
  return true;
}

Result<bool> Sequences::change(const Node& node, const Known& known) {
  Tensors tensors = sequences_[node.inputs[0]];
  const bool inserts = node.op_type == "SequenceInsert";
  const size_t operand = inserts ? 2 : 1;
  const auto count = static_cast<int64_t>(tensors.size());
  int64_t place = inserts ? count : count - 1;
  if (is_given(node, operand)) {
    const auto stated = known.integers(node.inputs[operand]);
    if (!stated || stated->size() != 1) return false;
    place = (*stated)[0] + ((*stated)[0] < 0 ? count : 0);
  }
  if (place < 0 || place >= count + (inserts ? 1 : 0))
    return at_sequence(node, fmt::format("a sequence of {} has no place {}", count, place),
                       "export the model again");
  if (inserts && count == kMostTensors)
    return at_sequence(node, fmt::format("a sequence of more than {} tensors", kMostTensors),
                       "export the model with Concat in place of sequences");
  if (inserts) {
    tensors.insert(tensors.begin() + place, node.inputs[1]);
  } else {
    tensors.erase(tensors.begin() + place);
  }
  sequences_[node.outputs[0]] = std::move(tensors);
  return true;
}

Result<bool> Sequences::take_tensor(const Node& node, const Known& known, Graph& graph) {
  const Tensors& tensors = sequences_[node.inputs[0]];
  const auto stated = known.integers(node.inputs[1]);
  if (!stated || stated->size() != 1) return false;
  const auto count = static_cast<int64_t>(tensors.size());
  const int64_t place = (*stated)[0] + ((*stated)[0] < 0 ? count : 0);
  if (place < 0 || place >= count)
    return at_sequence(node, fmt::format("a sequence of {} has no place {}", count, (*stated)[0]),
                       "export the model again");
  graph.nodes.push_back(made("Identity", {tensors[static_cast<size_t>(place)]}, {node.outputs[0]}));
  return true;
}

bool Sequences::concat(const Node& node, Graph& graph) const {
  Tensors parts = sequences_.at(node.inputs[0]);
  if (parts.empty()) return false;
  const int64_t axis = whole_number(node, "axis", 0);
  if (whole_number(node, "new_axis", 0) != 0) {
    const std::string axes = node.outputs[0] + "/axes";
    const bool operand = graph.opset >= kFirstWithOperands;
    if (operand) graph.add_constant(axes, integers_tensor({axis}));
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string thick = fmt::format("{}/part{}", node.outputs[0], i);
      Node added = made("Unsqueeze", {parts[i]}, {thick});
      if (operand) {
        added.inputs.push_back(axes);
      } else {
        added.attributes["axes"] = std::vector<int64_t>{axis};
      }
      graph.nodes.push_back(std::move(added));
      parts[i] = thick;
    }
  }
  graph.nodes.push_back(made("Concat", parts, {node.outputs[0]}, {{"axis", axis}}));
  return true;
}

}  // namespace opkit::onnx_frontend
