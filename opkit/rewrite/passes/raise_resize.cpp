// Upsample and the Resize of version 10: scales alone, places that count from the corner. The
// nearest element is the one before the place; where an axis shrinks, the Resize of version 10
// takes the one behind it, so that axes that shrink and axes that grow become two nodes.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/raisings.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool is_nearest(const Node& node) { return text_of(node, "mode", "nearest") == "nearest"; }

void write_resize(Graph& graph, size_t n, const std::string& scales, const std::string& nearest) {
  Node& node = graph.nodes[n];
  node.op_type = "Resize";
  node.inputs = {node.inputs[0], "", scales};
  node.attributes.erase("scales");
  node.attributes["coordinate_transformation_mode"] = std::string("asymmetric");
  node.attributes["nearest_mode"] = nearest;
}

// Keeps those of the scales that say yes, 1 in place of the others.
template <typename Which>
graph::RefTensor picked(const graph::RefTensor& scales, Which which) {
  graph::RefTensor some = scales;
  for (double& scale : some.values) scale = which(scale) ? scale : 1;
  return some;
}

bool shrinks(double scale) { return scale < 1; }

}  // namespace

bool is_resize_ready(const Graph& graph, const Node& node) {
  return !is_nearest(node) || graph.constant(node.inputs[1]) != nullptr;
}

void raise_resize(Graph& graph, size_t n) {
  const std::string scales = graph.nodes[n].inputs[1];
  if (!is_nearest(graph.nodes[n])) return write_resize(graph, n, scales, "floor");
  const graph::RefTensor& all = *graph.constant(scales);
  const bool any = std::any_of(all.values.begin(), all.values.end(), shrinks);
  if (!any) return write_resize(graph, n, scales, "floor");
  const bool grows =
      std::any_of(all.values.begin(), all.values.end(), [](double scale) { return scale > 1; });
  if (!grows) return write_resize(graph, n, scales, "ceil");
  const graph::RefTensor larger = picked(all, [](double scale) { return scale > 1; });
  const graph::RefTensor smaller = picked(all, shrinks);
  const std::string y = graph.nodes[n].outputs[0];
  const std::string shrunk = fresh_name(graph, y + "/shrunk");
  const Node second{"Resize", {shrunk}, {y}, graph.nodes[n].attributes};
  graph.nodes[n].outputs[0] = shrunk;
  write_resize(graph, n, add_constant(graph, y + "/smaller", smaller), "ceil");
  graph.nodes.push_back(second);
  write_resize(graph, graph.nodes.size() - 1, add_constant(graph, y + "/larger", larger), "floor");
}

void raise_upsample(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  const bool given = node.inputs.size() > 1 && !node.inputs[1].empty();
  if (given) return write_resize(graph, n, std::string(node.inputs[1]), "floor");
  std::vector<double> scales;
  if (const auto stated = node.attributes.find("scales"); stated != node.attributes.end())
    scales = std::get<std::vector<double>>(stated->second);
  const Shape shape{static_cast<int64_t>(scales.size())};
  const std::string constant = add_constant(graph, std::string(node.outputs[0]) + "/scales",
                                            {DType::kFloat32, shape, std::move(scales)});
  write_resize(graph, n, constant, "floor");
}

}  // namespace opkit::passes
