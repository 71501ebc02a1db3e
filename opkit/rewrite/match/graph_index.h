// GraphIndex: a graph with who defines and who reads each value.
#ifndef OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_
#define OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::match {

class GraphIndex {
 public:
  // REQUIRES: the graph outlives the index.
  explicit GraphIndex(const graph::Graph& graph);

  const graph::Graph& graph() const { return graph_; }
  // Numbers of the nodes that read a value; of the one that defines it, or nodes().size().
  const std::vector<size_t>& readers(const std::string& value) const;
  size_t definition(const std::string& value) const;
  bool is_output(const std::string& value) const;
  const std::vector<size_t>& nodes_of(const std::string& op_type) const;
  // From a node to each that reads it, ascending.
  const std::vector<std::pair<size_t, size_t>>& edges() const { return edges_; }

 private:
  const graph::Graph& graph_;
  std::map<std::string, std::vector<size_t>> readers_, by_operator_;
  std::map<std::string, size_t> definition_;
  std::vector<std::pair<size_t, size_t>> edges_;
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_GRAPH_INDEX_H_
