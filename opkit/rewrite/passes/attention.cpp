#include "opkit/rewrite/passes/attention.h"

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

class Walk {
 public:
  Walk(const Graph& graph, const Readers& readers) : graph_(graph), readers_(readers) {}

  const Node* definition(const std::string& value) const {
    const size_t n = readers_.definition(value);
    return n < graph_.nodes.size() ? &graph_.nodes[n] : nullptr;
  }

  // The value in front of products with, and quotients by, single constants.
  std::string without_factors(std::string value, double& scale) const {
    for (const Node* node = definition(value); node != nullptr; node = definition(value)) {
      const bool divides = node->op_type == "Div";
      if ((node->op_type != "Mul" && !divides) || node->inputs.size() != 2) break;
      const graph::RefTensor* factor = graph_.constant(node->inputs[1]);
      const Shape *in = shape_of(graph_, node->inputs[0]), *out = shape_of(graph_, value);
      if (factor == nullptr || factor->elements() != 1 || !in || !out || *in != *out) break;
      scale *= divides ? 1 / (*factor)[0] : (*factor)[0];
      value = node->inputs[0];
    }
    return value;
  }

  // The value that a Transpose of its last two dims alone makes this one; empty: none.
  std::string unturned(const std::string& value) const {
    const Node* node = definition(value);
    if (node == nullptr || node->op_type != "Transpose") return "";
    const auto perm = node->attributes.find("perm");
    if (perm == node->attributes.end()) return "";
    const auto* dims = std::get_if<Integers>(&perm->second);
    return dims != nullptr && *dims == turning(dims->size()) ? node->inputs[0] : "";
  }

  const Shape* shape(const std::string& value) const { return filled_shape_of(graph_, value); }

 private:
  const Graph& graph_;
  const Readers& readers_;
};

// The product in front of a Softmax: what is added to it goes to `mask`.
const Node* scores_of(const Walk& walk, const std::string& value, Attention& found) {
  const Node* node = walk.definition(value);
  if (node != nullptr && node->op_type == "Add") {
    for (size_t i = 0; i < 2; ++i) {
      double scale = 1;
      const Node* product = walk.definition(walk.without_factors(node->inputs[i], scale));
      if (product == nullptr || product->op_type != "MatMul") continue;
      found.scale *= scale;
      found.mask = node->inputs[1 - i];
      return product;
    }
    return nullptr;
  }
  const Node* product = walk.definition(walk.without_factors(value, found.scale));
  return product != nullptr && product->op_type == "MatMul" ? product : nullptr;
}

// Whether heads are the same in front, and the last two dims are those of an attention.
bool fits(const Walk& walk, const Attention& found) {
  const Shape *q = walk.shape(found.q), *keys = walk.shape(found.keys), *v = walk.shape(found.v);
  if (!q || !keys || !v || q->rank() < 3 || keys->rank() != q->rank() || v->rank() != q->rank())
    return false;
  const size_t heads = q->rank() - 2;
  return std::equal(q->dims().begin(), q->dims().begin() + static_cast<std::ptrdiff_t>(heads),
                    keys->dims().begin()) &&
         std::equal(q->dims().begin(), q->dims().begin() + static_cast<std::ptrdiff_t>(heads),
                    v->dims().begin());
}

}  // namespace

std::optional<Attention> attention_at(const Graph& graph, const Readers& readers,
                                      const Node& softmax) {
  const Walk walk(graph, readers);
  const Shape* scores = shape_of(graph, softmax.inputs[0]);
  if (softmax.op_type != "Softmax" || scores == nullptr || scores->rank() < 3) return std::nullopt;
  const auto last = static_cast<double>(scores->rank()) - 1;
  const double axis = number_of(softmax, "axis", -1);
  const std::vector<size_t>& behind = readers.of(softmax.outputs[0]);
  if ((axis != last && axis != -1) || behind.size() != 1 || readers.is_output(softmax.outputs[0]))
    return std::nullopt;
  const Node& sums = graph.nodes[behind[0]];
  if (sums.op_type != "MatMul" || sums.inputs[0] != softmax.outputs[0] ||
      sums.inputs[1] == softmax.outputs[0])
    return std::nullopt;
  Attention found;
  const Node* product = scores_of(walk, softmax.inputs[0], found);
  if (product == nullptr) return std::nullopt;
  found.q = walk.without_factors(product->inputs[0], found.scale);
  found.keys = walk.without_factors(product->inputs[1], found.scale);
  found.k = walk.unturned(found.keys);
  if (!found.k.empty()) found.k = walk.without_factors(found.k, found.scale);
  found.v = sums.inputs[1];
  found.result = sums.outputs[0];
  if (!fits(walk, found) || !(found.scale > 0)) return std::nullopt;
  return found;
}

}  // namespace opkit::passes
