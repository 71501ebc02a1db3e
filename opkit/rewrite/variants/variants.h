// Declares the variants of variants.def. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_VARIANTS_H_
#define OPKIT_REWRITE_VARIANTS_VARIANTS_H_

#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

using ValueNames = std::vector<std::string>;

#define OPKIT_VARIANT(function, purpose)                      \
  ValueNames places_to_##function(const graph::Graph& graph); \
  bool function(graph::Graph& graph, const std::string& place);
#include "opkit/rewrite/variants/variants.def"
#undef OPKIT_VARIANT

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_VARIANTS_H_
