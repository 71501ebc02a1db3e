// Bodies: the graphs inside nodes, as an If, a Loop and a Scan have them.
//
// A body reads its own inputs and nothing else. What ONNX lets it read of the graph around it,
// weights included, are inputs of the body and of its node behind those that the operator has
// ("captured" ones), in one order, when a model is imported under one name; kCaptured counts them.
// So a node says everything that it depends on, and whoever sorts, renames or removes values need
// not look into bodies. A body lies in an attribute of its node, as bytes: a node stays plain data,
// and equal ones compare equal.
#ifndef OPKIT_GRAPH_BODIES_H_
#define OPKIT_GRAPH_BODIES_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::graph {

// Counts the captured operands of a node with bodies: an integer attribute.
inline constexpr const char* kCaptured = "opkit:captured";

bool has_bodies(std::string_view op_type);
// Returns the attributes that hold the operator's bodies: "then_branch" and "else_branch", or
// "body".
const std::vector<std::string>& bodies_of(std::string_view op_type);

void set_body(Node& node, const std::string& attribute, const Graph& body);
// Error: OPK-GRAPH-005, the node has no such body. The result is not validated.
Result<Graph> body_of(const Node& node, const std::string& attribute);

// Returns how many inputs of the node are captured ones; the others stand in front of them.
size_t captured_inputs(const Node& node);
size_t own_inputs(const Node& node);

// Nodes of the graph and of all bodies in it. A body that cannot be read counts as nothing.
size_t nodes_with_bodies(const Graph& graph);

inline constexpr const char* kBadBody = "OPK-GRAPH-005";

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_BODIES_H_
