// States pads, strides, dilations and kernel_shape of every Conv and pool whose shapes are known;
// pads are numbers then, whatever auto_pad said.
#include <algorithm>

#include "opkit/passes/edit.h"
#include "opkit/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

bool has_window(const Node& node) {
  return node.op_type == "Conv" || node.op_type == "MaxPool" || node.op_type == "AveragePool" ||
         node.op_type == "LpPool";
}

Integers stated(const Node& node, const std::string& name, Integers otherwise) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? otherwise : std::get<Integers>(found->second);
}

struct Window {
  Integers input, kernel, strides, dilations, pads;
};

// As many positions as strides fit into the input.
void pad_same(Window& window, bool upper) {
  const size_t rank = window.input.size();
  for (size_t d = 0; d < rank; ++d) {
    const int64_t stride = window.strides[d];
    const int64_t extent = (window.kernel[d] - 1) * window.dilations[d] + 1;
    const int64_t positions = (window.input[d] + stride - 1) / stride;
    const int64_t total = std::max<int64_t>((positions - 1) * stride + extent - window.input[d], 0);
    window.pads[d] = upper ? total / 2 : total - total / 2;
    window.pads[rank + d] = total - window.pads[d];
  }
}

std::optional<Window> window_of(const Graph& graph, const Node& node) {
  const Shape* x = shape_of(graph, node.inputs[0]);
  const Shape* w = node.op_type == "Conv" ? shape_of(graph, node.inputs[1]) : nullptr;
  if (!x || x->rank() < 3 || (node.op_type == "Conv" && (!w || w->rank() != x->rank())))
    return std::nullopt;
  const size_t rank = x->rank() - 2;
  Window window;
  window.input.assign(x->dims().begin() + 2, x->dims().end());
  window.kernel = stated(node, "kernel_shape",
                         w ? Integers(w->dims().begin() + 2, w->dims().end()) : Integers());
  window.strides = stated(node, "strides", Integers(rank, 1));
  window.dilations = stated(node, "dilations", Integers(rank, 1));
  window.pads = stated(node, "pads", Integers(2 * rank, 0));
  if (window.kernel.size() != rank) return std::nullopt;
  const auto automatic = node.attributes.find("auto_pad");
  if (automatic != node.attributes.end() &&
      std::get<std::string>(automatic->second).starts_with("SAME"))
    pad_same(window, std::get<std::string>(automatic->second) == "SAME_UPPER");
  return window;
}

template <typename T>
size_t state(Node& node, const std::string& name, const T& value) {
  const auto found = node.attributes.find(name);
  if (found != node.attributes.end() && std::get<T>(found->second) == value) return 0;
  node.attributes[name] = value;
  return 1;
}

}  // namespace

Result<size_t> state_windows(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (!has_window(node)) continue;
    const auto window = window_of(graph, node);
    if (!window) continue;
    changes += state(node, "auto_pad", std::string("NOTSET"));
    changes += state(node, "kernel_shape", window->kernel);
    changes += state(node, "strides", window->strides);
    changes += state(node, "dilations", window->dilations);
    changes += state(node, "pads", window->pads);
  }
  return changes;
}

}  // namespace opkit::passes
