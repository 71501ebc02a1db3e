#include "tests/graphs/planted.h"

#include <algorithm>
#include <string>
#include <utility>

namespace opkit::graph_tests {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

Integers* integers(Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : std::get_if<Integers>(&found->second);
}

int64_t* integer(Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
}

template <typename Change>
Result<size_t> each_node(Graph& graph, Change change) {
  size_t changes = 0;
  for (Node& node : graph.nodes) changes += change(node);
  return changes;
}

Result<size_t> exchange_operands(Graph& graph) {
  return each_node(graph, [](Node& node) {
    if (node.op_type != "Sub" || node.inputs[0] == node.inputs[1]) return false;
    std::swap(node.inputs[0], node.inputs[1]);
    return true;
  });
}

Result<size_t> forget_bound(Graph& graph) {
  return each_node(graph, [](Node& node) {
    if (node.op_type != "Clip" || node.inputs.size() < 2) return false;
    node.inputs.resize(1);
    return true;
  });
}

Result<size_t> exchange_pads(Graph& graph) {
  return each_node(graph, [](Node& node) {
    Integers* pads = integers(node, "pads");
    if (pads == nullptr) return false;
    const auto half = pads->begin() + static_cast<std::ptrdiff_t>(pads->size() / 2);
    const Integers before = *pads;
    std::rotate(pads->begin(), half, pads->end());
    return before != *pads;
  });
}

Result<size_t> keep_smallest(Graph& graph) {
  return each_node(graph, [](Node& node) {
    int64_t* largest = integer(node, "largest");
    if (largest == nullptr) return false;
    *largest = 1 - *largest;
    return true;
  });
}

Result<size_t> reverse_parts(Graph& graph) {
  return each_node(graph, [](Node& node) {
    if (node.op_type != "Concat" || node.inputs.front() == node.inputs.back()) return false;
    std::reverse(node.inputs.begin(), node.inputs.end());
    return true;
  });
}

Result<size_t> round_down(Graph& graph) {
  return each_node(graph, [](Node& node) {
    const auto mode = node.attributes.find("nearest_mode");
    if (node.op_type != "Resize" || mode == node.attributes.end()) return false;
    const bool was_floor = std::get<std::string>(mode->second) == "floor";
    mode->second = std::string("floor");
    return !was_floor;
  });
}

Result<size_t> count_padding(Graph& graph) {
  return each_node(graph, [](Node& node) {
    int64_t* counts = integer(node, "count_include_pad");
    if (counts == nullptr) return false;
    *counts = 1 - *counts;
    return true;
  });
}

Result<size_t> take_max_for_min(Graph& graph) {
  return each_node(graph, [](Node& node) {
    if (node.op_type != "ReduceMin") return false;
    node.op_type = "ReduceMax";
    return true;
  });
}

}  // namespace

const std::vector<passes::Rewrite>& planted_errors() {
  static const std::vector<passes::Rewrite> kErrors = {
      {"exchange_operands", "takes Sub for commutative", exchange_operands},
      {"forget_bound", "drops the bounds of a Clip", forget_bound},
      {"exchange_pads", "pads at the other end", exchange_pads},
      {"keep_smallest", "turns the order of a TopK", keep_smallest},
      {"reverse_parts", "joins the parts of a Concat in the other order", reverse_parts},
      {"round_down", "rounds the places of a Resize down", round_down},
      {"count_padding", "counts the padding of an AveragePool, or does not", count_padding},
      {"take_max_for_min", "writes ReduceMin as ReduceMax", take_max_for_min},
  };
  return kErrors;
}

}  // namespace opkit::graph_tests
