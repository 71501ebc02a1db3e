// Products of a variable with constant weights: Conv, MatMul, Gemm. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_PRODUCT_H_
#define OPKIT_REWRITE_VARIANTS_PRODUCT_H_

#include <optional>

#include "opkit/graph/graph.h"

namespace opkit::variants {

struct Product {
  const graph::Node* node = nullptr;
  const graph::RefTensor* weights = nullptr;
  const graph::RefTensor* bias = nullptr;  // null: none
  size_t results = 0;                      // the axis of the weights along which results lie
  size_t terms = 0;                        // the one along which the summed elements lie
  size_t channels = 0;                     // the axis of the operand that holds these
  size_t result_axis = 0;                  // the axis of the result
};

// Returns nothing when it is no product, its weights or its bias are no constants, a convolution
// has groups, a Gemm has factors or turns its operand.
std::optional<Product> product_of(const graph::Graph& graph, const graph::Node& node);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_PRODUCT_H_
