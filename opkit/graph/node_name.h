// What people call a node: its own name, else that of its first result.
#ifndef OPKIT_GRAPH_NODE_NAME_H_
#define OPKIT_GRAPH_NODE_NAME_H_

#include "opkit/graph/graph.h"

namespace opkit::graph {

inline const std::string& name_of(const Node& node) {
  return node.name.empty() ? node.outputs[0] : node.name;
}

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_NODE_NAME_H_
