// Nodes of older and newer operators' versions, said in the version that references have. Private
// to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_RAISINGS_H_
#define OPKIT_REWRITE_PASSES_RAISINGS_H_

#include <limits>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

inline constexpr int kNewestVersion = std::numeric_limits<int>::max();

// An operator that means, or is written, something else in the file's versions from `first` to
// `last` than in graph::kDefaultOpset. docs/opsets.md is this table with its reasons.
struct Raising {
  std::string_view op;
  int first, last;
  // Whether what `apply` must know of the node's operands is known.
  bool (*is_ready)(const graph::Graph& graph, const graph::Node& node);
  // Changes node n; may add nodes. REQUIRES: is_ready.
  void (*apply)(graph::Graph& graph, size_t n);
};

const std::vector<Raising>& raisings();

// Softmax and its like before version 13 take everything from an axis on.
bool is_softmax_ready(const graph::Graph& graph, const graph::Node& node);
void raise_softmax(graph::Graph& graph, size_t n);

// Upsample, and Resize of version 10, which have scales alone and places that count from a corner.
bool is_resize_ready(const graph::Graph& graph, const graph::Node& node);
void raise_resize(graph::Graph& graph, size_t n);
void raise_upsample(graph::Graph& graph, size_t n);

// OneHot before version 11 has no negative indices: they give a row of off values.
bool is_one_hot_ready(const graph::Graph& graph, const graph::Node& node);
void raise_one_hot(graph::Graph& graph, size_t n);

// GroupNormalization since version 21 has its scale and bias per channel.
bool is_group_norm_ready(const graph::Graph& graph, const graph::Node& node);
void lower_group_norm(graph::Graph& graph, size_t n);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_RAISINGS_H_
