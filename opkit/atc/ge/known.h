// Known: what inference knows of a graph's values while the graph grows. Private to this folder.
#ifndef OPKIT_ATC_GE_KNOWN_H_
#define OPKIT_ATC_GE_KNOWN_H_

#include <map>
#include <string>

#include "opkit/graph/graph.h"

namespace opkit::ge_frontend {

class Known {
 public:
  // The graph outlives it; its nodes stand behind those that they read.
  explicit Known(graph::Graph& graph) : graph_(graph) {}

  // Infers the nodes that nobody asked about before, and gives the graph dtypes and shapes of what
  // they define. Error: of inference.
  Status update();
  // Returns a value with its dims and, where it does not depend on data, its elements.
  Result<graph::ValueInfo> of(const std::string& name);

 private:
  graph::Graph& graph_;
  size_t inferred_ = 0;                             // nodes
  std::map<std::string, graph::ValueInfo> values_;  // that nodes define
};

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_KNOWN_H_
