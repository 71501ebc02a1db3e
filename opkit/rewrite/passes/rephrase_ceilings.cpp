// Writes a pool's ceil_mode as pads behind the input: they hold what the last window sees too much.
// An AveragePool that counts pads would count them, too, so that one stays as it is.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Node;

const Integers& list(const Node& node, const char* name) {
  return std::get<Integers>(node.attributes.at(name));
}

// Returns what the windows of y see behind x and its pads, per spatial dim.
Integers behind(const Node& node, const Shape& x, const Shape& y) {
  Integers more;
  const size_t rank = x.rank() - 2;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t extent = (list(node, "kernel_shape")[d] - 1) * list(node, "dilations")[d] + 1;
    const int64_t seen = (y[d + 2] - 1) * list(node, "strides")[d] + extent;
    const Integers& pads = list(node, "pads");
    more.push_back(std::max<int64_t>(seen - x[d + 2] - pads[d] - pads[rank + d], 0));
  }
  return more;
}

}  // namespace

Parts rephrase_ceilings(graph::Graph& graph, size_t n) {
  Node& node = graph.nodes[n];
  const bool pools = node.op_type == "MaxPool" || node.op_type == "AveragePool";
  if (!pools || number_of(node, "ceil_mode", 0) != 1 || !has_stated_window(node)) return {};
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!x || !y) return {};
  const Integers more = behind(node, *x, *y);
  const bool none = std::all_of(more.begin(), more.end(), [](int64_t one) { return one == 0; });
  if (!none && number_of(node, "count_include_pad", 0) != 0) return {};
  auto& pads = std::get<Integers>(node.attributes.at("pads"));
  for (size_t d = 0; d < more.size(); ++d) pads[more.size() + d] += more[d];
  node.attributes["ceil_mode"] = int64_t{0};
  return std::vector{node.outputs[0]};
}

}  // namespace opkit::passes
