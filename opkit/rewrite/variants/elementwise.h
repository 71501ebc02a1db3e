// Nodes that compute every element of their result from the elements at its place.
// Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_ELEMENTWISE_H_
#define OPKIT_REWRITE_VARIANTS_ELEMENTWISE_H_

#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

// One result, of an operator that computes element by element.
bool is_elementwise(const graph::Node& node);
// Tells whether the node only moves elements: Transpose, Reshape, Slice and their like.
bool moves_elements(const graph::Node& node);

// Operands that are no constants, each once.
std::vector<std::string> variables_of(const graph::Graph& graph, const graph::Node& node);

// Tells whether every operand that is no constant, and each constant after broadcasting, fits the
// dims of the result: nothing else grows by the node.
bool keeps_dims(const graph::Graph& graph, const graph::Node& node);

// Tells whether nodes have the same operator and attributes, names aside.
bool alike(const graph::Node& one, const graph::Node& other);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_ELEMENTWISE_H_
