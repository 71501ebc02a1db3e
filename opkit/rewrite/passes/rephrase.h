// Rephrasings: one node said in other operators. They are no part of the canonical form, because an
// op may be written for the node's own words: the compiler asks for them only where nobody takes a
// node as it is.
#ifndef OPKIT_REWRITE_PASSES_REPHRASE_H_
#define OPKIT_REWRITE_PASSES_REPHRASE_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

struct Rephrasing {
  std::string_view name;  // is its file's name
  std::string_view does;
  // Says node n in other words: values of the graph keep their names, new ones get new names.
  // Returns the results of the new nodes that compute something, nodes that only look at their
  // operand in another shape left out; nothing: these words do not fit the node, which is as it
  // was. REQUIRES: the graph is valid and inferred.
  std::optional<std::vector<std::string>> (*apply)(graph::Graph& graph, size_t n);
};

// Lists them in the order in which they are tried; docs/passes.md is this list.
const std::vector<Rephrasing>& rephrasings();

struct Rephrased {
  std::map<std::string, size_t> changes;  // how often each was applied
  // By the first result of a node that was said in other words: the results that compute now.
  std::map<std::string, std::vector<std::string>> parts;
};

// Rephrases the nodes with these first results, and what became of them, until no words fit any
// more. The graph is inferred afterwards. Errors: those of inference.
Result<Rephrased> rephrase(graph::Graph& graph, const std::set<std::string>& results);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REPHRASE_H_
