// What people call a node: its own name, else that of its first result, else its operator's.
#ifndef OPKIT_GRAPH_NODE_NAME_H_
#define OPKIT_GRAPH_NODE_NAME_H_

#include "opkit/graph/graph.h"

namespace opkit::graph {

inline const std::string& name_of(const Node& node) {
  if (!node.name.empty()) return node.name;
  return node.outputs.empty() ? node.op_type : node.outputs[0];
}

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_NODE_NAME_H_
