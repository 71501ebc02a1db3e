// Rewrites: changes of a graph that keep what it computes. Each stands in a file of its own, with a
// proof in tests/unit/rewrite/passes.
#ifndef OPKIT_REWRITE_PASSES_REWRITE_H_
#define OPKIT_REWRITE_PASSES_REWRITE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

struct Rewrite {
  std::string_view name;  // is its file's name
  std::string_view does;
  // How many places changed. Names of inputs and outputs stay.
  // REQUIRES: the graph is valid and inferred (reference::infer).
  Result<size_t> (*apply)(graph::Graph& graph);
};

// Lists them in the order in which they are tried; docs/passes.md is this list.
const std::vector<Rewrite>& canonical_rewrites();

// Lists the rewrites that fold no other operator into the weights of a Conv.
const std::vector<Rewrite>& unfolding_rewrites();

// Applies the rewrites until none changes anything, inferring in between. Returns how many places
// each changed, by name. Error: those of inference, or OPK-PASS-001 when there is no end.
Result<std::map<std::string, size_t>> canonicalize(
    graph::Graph& graph, const std::vector<Rewrite>& rewrites = canonical_rewrites());

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REWRITE_H_
