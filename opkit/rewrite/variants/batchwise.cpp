#include "opkit/rewrite/variants/batchwise.h"

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/variants/elementwise.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;

namespace {

bool is_one_of(const Node& node, const std::set<std::string>& names) {
  return names.count(node.op_type) > 0;
}

// Operands behind the first one, such as filters, dims and bias, must be constants.
bool works_on_images(const Graph& graph, const Node& node) {
  static const std::set<std::string> kOps = {"AveragePool",
                                             "BatchNormalization",
                                             "Conv",
                                             "ConvTranspose",
                                             "DepthToSpace",
                                             "Flatten",
                                             "GlobalAveragePool",
                                             "GlobalMaxPool",
                                             "InstanceNormalization",
                                             "LRN",
                                             "MaxPool",
                                             "Reshape",
                                             "SpaceToDepth"};
  return is_one_of(node, kOps) &&
         std::all_of(node.inputs.begin() + 1, node.inputs.end(), [&](const std::string& name) {
           return name.empty() || graph.constant(name) != nullptr;
         });
}

// Tells whether the axis, which may count from the back, is another one than the first.
bool is_inner(double axis, const Shape& shape) {
  return axis + (axis < 0 ? static_cast<double>(shape.rank()) : 0) > 0;
}

bool turns_within_images(const Node& node) {
  const auto perm = node.attributes.find("perm");
  if (perm == node.attributes.end()) return false;
  const auto& order = std::get<std::vector<int64_t>>(perm->second);
  return !order.empty() && order[0] == 0;
}

// A constant that is the same for every image.
bool is_for_all(const Graph& graph, const std::string& name, size_t rank) {
  const graph::RefTensor* constant = graph.constant(name);
  return constant != nullptr && (constant->shape.rank() < rank || constant->shape[0] == 1);
}

bool multiplies_rows(const Graph& graph, const Node& node, const Shape& result) {
  if (node.op_type == "Gemm" && passes::number_of(node, "transA", 0) != 0) return false;
  const graph::RefTensor* weights = graph.constant(node.inputs[1]);
  if (weights == nullptr || weights->shape.rank() != 2) return false;
  return node.inputs.size() < 3 || node.inputs[2].empty() ||
         is_for_all(graph, node.inputs[2], result.rank());
}

bool broadcasts_within_images(const Graph& graph, const Node& node, const Shape& result) {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
    const Shape* shape = passes::shape_of(graph, name);
    if (name.empty() || shape == nullptr) return name.empty();
    return graph.constant(name) != nullptr ? is_for_all(graph, name, result.rank())
                                           : shape->rank() == result.rank();
  });
}

// Whose operands and results have the batch in front: which of these keep images apart?
bool keeps_images_apart(const Graph& graph, const Node& node, const Shape& result) {
  if (works_on_images(graph, node)) return true;
  if (is_elementwise(node)) return broadcasts_within_images(graph, node, result);
  if (is_one_of(node, {"MatMul", "Gemm"})) return multiplies_rows(graph, node, result);
  if (is_one_of(node, {"Softmax", "LogSoftmax"}))
    return is_inner(passes::number_of(node, "axis", -1), result);
  if (node.op_type == "Concat") return is_inner(passes::number_of(node, "axis", 0), result);
  return node.op_type == "Transpose" && turns_within_images(node);
}

// Variable operands are of the batch, and there is one.
bool takes_batches(const Graph& graph, const Node& node, const Batchwise& found) {
  bool any = false;
  for (const std::string& name : node.inputs) {
    if (name.empty() || graph.constant(name) != nullptr) continue;
    if (found.values.count(name) == 0) return false;
    any = true;
  }
  return any && found.values.count(node.inputs[0]) > 0;
}

bool gives_batches(const Graph& graph, const Node& node, int64_t batch) {
  if (node.outputs.size() != 1) return false;
  const Shape* shape = passes::filled_shape_of(graph, node.outputs[0]);
  return shape != nullptr && shape->rank() > 0 && (*shape)[0] == batch;
}

}  // namespace

Batchwise batchwise_from(const Graph& graph, const std::string& value) {
  Batchwise found;
  const Shape* shape = passes::filled_shape_of(graph, value);
  if (shape == nullptr || shape->rank() == 0 || graph.constant(value) != nullptr) return found;
  found.batch = (*shape)[0];
  found.values.insert(value);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.inputs.empty() || !takes_batches(graph, node, found) ||
        !gives_batches(graph, node, found.batch) ||
        !keeps_images_apart(graph, node, *passes::shape_of(graph, node.outputs[0])))
      continue;
    found.nodes.push_back(n);
    found.values.insert(node.outputs[0]);
  }
  return found;
}

}  // namespace opkit::variants
