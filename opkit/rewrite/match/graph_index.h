// GraphIndex: a graph with who defines and who reads each value.
#ifndef OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_
#define OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/cover/convex.h"

namespace opkit::match {

class GraphIndex {
 public:
  // REQUIRES: the graph outlives the index.
  explicit GraphIndex(const graph::Graph& graph);

  const graph::Graph& graph() const { return graph_; }
  // Numbers of the nodes that read a value; of the one that defines it, or nodes().size().
  const std::vector<size_t>& readers(const std::string& value) const;
  size_t definition(const std::string& value) const;
  bool is_output(const std::string& value) const { return outputs_.count(value) > 0; }
  bool is_input(const std::string& value) const { return inputs_.count(value) > 0; }
  const std::vector<size_t>& nodes_of(const std::string& op_type) const;
  // Lists the edges from a node to each that reads it, ascending.
  const std::vector<std::pair<size_t, size_t>>& edges() const { return edges_; }
  // Returns a node outside that lies on a path from the nodes to the nodes; nodes().size(): none
  // does. REQUIRES: they are ascending, at least one.
  size_t between(const std::vector<size_t>& nodes) const { return convexity_->between(nodes); }

 private:
  const graph::Graph& graph_;
  std::unordered_map<std::string, std::vector<size_t>> readers_, by_operator_;
  std::unordered_map<std::string, size_t> definition_;
  std::unordered_set<std::string> inputs_, outputs_;
  std::vector<std::pair<size_t, size_t>> edges_;
  std::optional<cover::Convexity> convexity_;  // tells what the edges allow
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_
