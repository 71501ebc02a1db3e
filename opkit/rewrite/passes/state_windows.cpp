// States pads, strides, dilations and kernel_shape of every Conv, ConvTranspose and pool whose
// shapes are known; pads are numbers then, whatever auto_pad and output_shape said.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

bool is_transposed(const Node& node) { return node.op_type == "ConvTranspose"; }
bool has_filter(const Node& node) { return node.op_type == "Conv" || is_transposed(node); }
bool has_window(const Node& node) {
  return has_filter(node) || node.op_type == "MaxPool" || node.op_type == "AveragePool" ||
         node.op_type == "LpPool";
}

Integers stated(const Node& node, const std::string& name, Integers otherwise) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? otherwise : std::get<Integers>(found->second);
}

struct Window {
  Integers input, kernel, strides, dilations, pads, output_padding;
};

bool is_automatic(const Node& node) { return text_of(node, "auto_pad").starts_with("SAME"); }
bool is_upper(const Node& node) { return text_of(node, "auto_pad") == "SAME_UPPER"; }

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

// What is cut off, so that `output` is left. Where it is more than there is, more is added.
void cut(Window& window, const Shape& output, bool upper) {
  const size_t rank = window.input.size();
  for (size_t d = 0; d < rank; ++d) {
    const int64_t full = window.strides[d] * (window.input[d] - 1) + window.output_padding[d] +
                         (window.kernel[d] - 1) * window.dilations[d] + 1;
    const int64_t total = full - output[d + 2];
    if (total < 0) window.output_padding[d] -= total;
    const int64_t off = std::max<int64_t>(total, 0);
    window.pads[d] = upper ? off / 2 : off - off / 2;
    window.pads[rank + d] = off - window.pads[d];
  }
}

std::optional<Window> window_of(const Graph& graph, const Node& node) {
  const Shape* x = shape_of(graph, node.inputs[0]);
  const Shape* w = has_filter(node) ? shape_of(graph, node.inputs[1]) : nullptr;
  const Shape* y = shape_of(graph, node.outputs[0]);
  if (!x || !y || x->rank() < 3 || (has_filter(node) && (!w || w->rank() != x->rank())))
    return std::nullopt;
  const size_t rank = x->rank() - 2;
  Window window;
  window.input.assign(x->dims().begin() + 2, x->dims().end());
  window.kernel = stated(node, "kernel_shape",
                         w ? Integers(w->dims().begin() + 2, w->dims().end()) : Integers());
  window.strides = stated(node, "strides", Integers(rank, 1));
  window.dilations = stated(node, "dilations", Integers(rank, 1));
  window.pads = stated(node, "pads", Integers(2 * rank, 0));
  window.output_padding = stated(node, "output_padding", Integers(rank, 0));
  if (window.kernel.size() != rank) return std::nullopt;
  if (!is_transposed(node)) {
    if (is_automatic(node)) pad_same(window, is_upper(node));
  } else if (is_automatic(node) || node.attributes.count("output_shape") > 0) {
    cut(window, *y, is_upper(node));
  }
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
    if (!is_transposed(node)) continue;
    changes += state(node, "output_padding", window->output_padding);
    changes += node.attributes.erase("output_shape");
  }
  return changes;
}

}  // namespace opkit::passes
