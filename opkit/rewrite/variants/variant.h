// Variants: other ways to say a part of a graph. Unlike the rewrites of the canonical form none is
// better by itself: it changes what ops can cover, and the cover's cost decides. Each stands in a
// file of its own, with a proof in tests/unit/rewrite/variants.
#ifndef OPKIT_REWRITE_VARIANTS_VARIANT_H_
#define OPKIT_REWRITE_VARIANTS_VARIANT_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

struct Variant {
  std::string_view name;  // is its file's name
  std::string_view does;
  // Names values at which it may be applied, in the order of nodes. Only looks.
  // REQUIRES: the graph is valid and inferred.
  std::vector<std::string> (*places)(const graph::Graph& graph);
  // Says the place otherwise: values of the graph keep their names, new ones get new names, nodes
  // that are no longer needed may stay, in any order. False: it cannot; the graph is as it was.
  // REQUIRES: the graph is valid and inferred.
  bool (*apply)(graph::Graph& graph, const std::string& place);
};

// Lists them in the order in which they are tried; docs/passes.md is this list.
const std::vector<Variant>& variants();

// One variant at several places.
struct VariantStep {
  std::string variant;
  std::vector<std::string> places;
};

// Applies the variant to each of the places that it still can be applied at, and returns how many
// these were. The graph is inferred, in order, without dead nodes. Errors: those of inference.
Result<size_t> apply(graph::Graph& graph, const Variant& variant,
                     const std::vector<std::string>& places);
// REQUIRES: variants() has one of that name.
Result<size_t> apply(graph::Graph& graph, const VariantStep& step);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_VARIANT_H_
