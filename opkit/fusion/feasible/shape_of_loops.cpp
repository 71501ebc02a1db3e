#include "opkit/fusion/feasible/shape_of_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/graph/node_name.h"
#include "opkit/reference/operators.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;
using Names = std::set<std::string>;

const Names kHeavy = {"Conv",          "MatMul",      "Gemm",  "MatMulInteger",
                      "ConvTranspose", "ConvInteger", "Einsum"};
const Names kLayout = {"Transpose", "DepthToSpace", "SpaceToDepth", "Resize", "ReverseSequence"};
const Names kBranches = {
    "If", "Loop", "Scan", "NonZero", "Unique", "Compress", "NonMaxSuppression"};
// Lists operators that pick by data or join and split tensors, but every result knows its operand's
// place.
const Names kPicks = {
    "Gather", "GatherElements", "GatherND", "Concat", "Split",           "Slice",    "Pad",
    "Expand", "Tile",           "OneHot",   "Range",  "ScatterElements", "ScatterND"};

int64_t rank_of(const Graph& graph, const std::string& value) {
  return static_cast<int64_t>(graph.values.at(value).shape->rank());
}

std::vector<double> axes_of(const Graph& graph, const Node& node) {
  for (const char* name : {"axis", "axes"}) {
    const auto stated = node.attributes.find(name);
    if (stated == node.attributes.end()) continue;
    if (const auto* one = std::get_if<int64_t>(&stated->second)) return {static_cast<double>(*one)};
    if (const auto* list = std::get_if<std::vector<int64_t>>(&stated->second))
      return {list->begin(), list->end()};
  }
  if (node.inputs.size() > 1 && graph.constant(node.inputs[1]) != nullptr)
    return graph.constant(node.inputs[1])->values;
  return {};
}

bool is_reduction(const Node& node) {
  const reference::Operator* op = reference::find_operator(node.op_type);
  return node.op_type.rfind("Reduce", 0) == 0 || node.op_type.rfind("Arg", 0) == 0 ||
         node.op_type == "TopK" || node.op_type == "CumSum" ||
         (op != nullptr && op->reach == reference::Reach::kRow);
}

bool along_last_axis(const Graph& graph, const Node& node) {
  const std::vector<double> axes = axes_of(graph, node);
  if (axes.empty()) return node.op_type.rfind("Reduce", 0) != 0;
  const auto last = static_cast<double>(rank_of(graph, node.inputs[0]) - 1);
  return axes.size() == 1 && (axes[0] == -1 || axes[0] == last);
}

std::string told_as(const Node& node) {
  return fmt::format("{} '{}'", node.op_type, graph::name_of(node));
}

class Looker {
 public:
  explicit Looker(const Subject& subject) : graph_(subject.graph) {}

  Loops run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      if (!is_view(graph_.nodes[n])) look(n);
    if (loops_.heavy > 0) loops_.cut = LoopCut::kBlocks;
    if (loops_.heavy == 0 && loops_.reductions > 0) loops_.cut = LoopCut::kRows;
    return std::move(loops_);
  }

 private:
  void look(size_t n) {
    const Node& node = graph_.nodes[n];
    note_dims(node);
    if (kBranches.count(node.op_type) > 0) loops_.branches.push_back(told_as(node));
    if (kHeavy.count(node.op_type) > 0) return heavy(n);
    if (kLayout.count(node.op_type) > 0) {
      forbid("{} changes the layout: a tile of its result lies in many tiles of its operand", node);
      return;
    }
    if (is_reduction(node)) return reduction(node);
    const reference::Operator* op = reference::find_operator(node.op_type);
    const bool element = op != nullptr && op->reach == reference::Reach::kElement;
    if (!element && kPicks.count(node.op_type) == 0 && kBranches.count(node.op_type) == 0)
      forbid("{} needs elements of other tiles", node);
  }

  void note_dims(const Node& node) {
    const std::string dims = graph_.values.at(node.outputs[0]).shape->to_string();
    if (std::find(loops_.dims.begin(), loops_.dims.end(), dims) == loops_.dims.end())
      loops_.dims.push_back(dims);
  }

  void forbid(const char* text, const Node& node) {
    loops_.forbids.push_back(fmt::format(fmt::runtime(text), told_as(node)));
  }

  void heavy(size_t n) {
    if (++loops_.heavy == 1) {
      loops_.first_heavy = n;
      return;
    }
    loops_.forbids.push_back(fmt::format(
        "two heavy operators, {} and {}: the second one needs what the first one makes of other "
        "tiles, through a workspace or by sums that run along",
        told_as(graph_.nodes[loops_.first_heavy]), told_as(graph_.nodes[n])));
  }

  void reduction(const Node& node) {
    ++loops_.reductions;
    if (!along_last_axis(graph_, node))
      return forbid("{} is a reduction across tiles: it does not run along the last axis", node);
    if (loops_.heavy > 0)
      forbid("{} is a reduction across tiles: its rows are cut by the blocks of the product", node);
  }

  const Graph& graph_;
  Loops loops_;
};

}  // namespace

Loops loops_of(const Subject& subject) { return Looker(subject).run(); }

}  // namespace opkit::feasible
