// Compositions as the one operator that they are: Gelu, LayerNormalization and their like, however
// an exporter writes them, recognised by what they compute.
#ifndef OPKIT_REWRITE_PASSES_WHOLE_OPERATORS_H_
#define OPKIT_REWRITE_PASSES_WHOLE_OPERATORS_H_

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Nodes from one value to another become one node: element-wise ones with numbers that compute
// Gelu, HardSwish, Silu or Mish at every sample; means of the last axis and element-wise ones that
// compute a LayerNormalization or RMSNormalization, with and without scales and bias. Attention of
// heads takes its factors behind the product and has grouped heads, two Slices become one Split, a
// Gemm MatMul and Add. Values keep their names, and what others read stays. Without nodes: there is
// nothing of this. REQUIRES: the graph is canonical.
Result<graph::Graph> whole_operators(const graph::Graph& graph);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_WHOLE_OPERATORS_H_
