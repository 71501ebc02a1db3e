// Conv, then BatchNormalization at inference: with f = scale / sqrt(variance + epsilon), the
// weights become w * f and the bias (b - mean) * f + shift.
#include <cmath>

#include "opkit/rewrite/passes/conv_constants.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

std::optional<Affine> affine_of(const Graph& graph, const Node& node) {
  if (node.op_type != "BatchNormalization" || node.outputs.size() != 1) return std::nullopt;
  if (number_of(node, "training_mode", 0) != 0) return std::nullopt;
  std::vector<const graph::RefTensor*> parameters;
  for (size_t i = 1; i < 5; ++i) {
    parameters.push_back(graph.constant(node.inputs[i]));
    if (parameters.back() == nullptr) return std::nullopt;
  }
  const double epsilon = number_of(node, "epsilon", 1e-5);
  Affine affine;
  for (int64_t c = 0; c < parameters[0]->elements(); ++c) {
    const double factor = (*parameters[0])[c] / std::sqrt((*parameters[3])[c] + epsilon);
    affine.scale.push_back(factor);
    affine.shift.push_back((*parameters[1])[c] - (*parameters[2])[c] * factor);
  }
  return affine;
}

}  // namespace

Result<size_t> fold_batch_norm(Graph& graph) {
  return fold_into_convs(graph,
                         [&](const Node& node, int64_t, size_t) { return affine_of(graph, node); });
}

}  // namespace opkit::passes
