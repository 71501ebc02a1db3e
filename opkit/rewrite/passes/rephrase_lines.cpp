// Writes Conv, ConvTranspose and pools of one spatial dim as those of images of one row, and global
// pools of any number of spatial dims likewise.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr size_t kImage = 4, kLine = 3;  // ranks

bool is_conv(const Node& node) { return node.op_type == "Conv" || node.op_type == "ConvTranspose"; }
bool is_pool(const Node& node) {
  return node.op_type == "MaxPool" || node.op_type == "AveragePool";
}
bool is_global_pool(const Node& node) {
  return node.op_type == "GlobalAveragePool" || node.op_type == "GlobalMaxPool";
}

// [n, c, w...] as [n, c, 1, w * ...].
Integers image(const Shape& shape) {
  int64_t pixels = 1;
  for (size_t d = 2; d < shape.rank(); ++d) pixels *= shape[d];
  return {shape[0], shape[1], 1, pixels};
}

void widen(Node& node, const char* name, int64_t above) {
  const auto stated = node.attributes.find(name);
  if (stated == node.attributes.end()) return;
  auto& numbers = std::get<Integers>(stated->second);
  numbers.insert(numbers.begin(), above);
}

void widen_windows(Node& node) {
  for (const char* name : {"kernel_shape", "strides", "dilations"}) widen(node, name, 1);
  widen(node, "output_padding", 0);
  const auto pads = node.attributes.find("pads");
  if (pads == node.attributes.end()) return;
  const auto across = std::get<Integers>(pads->second);
  pads->second = Integers{0, across[0], 0, across[1]};
}

bool fits(const Graph& graph, const Node& node, const Shape& x) {
  if (is_global_pool(node)) return x.rank() != kImage && x.rank() > 2;
  if (x.rank() != kLine || !has_stated_window(node)) return false;
  return is_pool(node) || (is_conv(node) && filled_shape_of(graph, node.inputs[1]));
}

}  // namespace

Parts rephrase_lines(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  if (!is_conv(node) && !is_pool(node) && !is_global_pool(node)) return {};
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!x || !y || node.outputs.size() != 1 || !fits(graph, node, *x)) return {};
  widen_windows(graph.nodes[n]);
  const std::string name = node.outputs[0], from = node.inputs[0],
                    done = fresh_name(graph, name + "/image");
  const std::string filter = is_conv(node) ? node.inputs[1] : "";
  graph.nodes[n].outputs[0] = done;
  define_reshape(graph, done, name, y->dims());
  graph.nodes[n].inputs[0] = add_reshape(graph, from, name + "/x", image(*x));
  if (!filter.empty()) {
    const std::string wide =
        add_reshape(graph, filter, name + "/w", image(*shape_of(graph, filter)));
    graph.nodes[n].inputs[1] = wide;
  }
  return std::vector{done};
}

}  // namespace opkit::passes
