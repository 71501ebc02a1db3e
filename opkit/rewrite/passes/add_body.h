// Bodies of If, Loop and Scan as nodes of the graph around them. Private to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_ADD_BODY_H_
#define OPKIT_REWRITE_PASSES_ADD_BODY_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// A body that can be put into a graph any number of times.
class Insertion {
 public:
  // Returns nothing when its nodes cannot be said in the graph's version of the operators. Errors:
  // those of reference::bound_body and of inference.
  static Result<std::optional<Insertion>> of(const graph::Graph& graph, const graph::Node& node,
                                             const std::string& attribute);

  // Adds its nodes behind the graph's, in a name with `mark` behind theirs, and returns the values
  // that its outputs are. `own`: the values of its inputs but captured ones and the condition of a
  // Loop.
  std::vector<std::string> add(graph::Graph& graph, const std::vector<std::string>& own,
                               const std::string& mark) const;

 private:
  graph::Graph body_;
  std::vector<std::string> captured_;  // values of the graph around, of the last inputs
};

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_ADD_BODY_H_
