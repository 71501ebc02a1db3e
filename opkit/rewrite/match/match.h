// Matching: where a graph holds what a contract's reference computes.
#ifndef OPKIT_REWRITE_MATCH_MATCH_H_
#define OPKIT_REWRITE_MATCH_MATCH_H_

#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"
#include "opkit/rewrite/match/found.h"
#include "opkit/rewrite/match/graph_index.h"

namespace opkit::match {

// A graph with what many contracts ask of it.
class Matcher : public GraphIndex {
 public:
  // REQUIRES: the graph is canonical (passes::canonicalize) and outlives the matcher.
  explicit Matcher(const graph::Graph& graph) : GraphIndex(graph) {}

  // Returns every place where the contract's reference is computed. Each form of the reference is
  // looked for at its rarest operator; operands of commutative operators may be exchanged. Of the
  // columns with the same dtypes, one match each.
  Found find(const OpContract& contract) const;
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_MATCH_H_
