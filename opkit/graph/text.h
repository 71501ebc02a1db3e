// The text form of a graph: one line per value and node, to read, to compare and to write tests in.
//
//   graph "name" opset 20
//   input x: float32[2, 3]:NCHW
//   const two: float32[] = 2
//   y = Add(x, two) @"node name"
//   y, _ = MaxPool(x) {kernel_shape=[2, 2], auto_pad="VALID"}
//   output y
//
// "_" stands for an absent input or an output that nobody wants. What is known of an inner value
// stands behind its name: "y: float32[2, 3] = Add(x, two)"; "[...]" is a shape that is not known.
// Names that are no identifiers are quoted: "conv1/weight:0". A constant whose elements are equal
// is written "= all 0.5". Numbers read back exactly; an attribute with a point is a real number.
#ifndef OPKIT_GRAPH_TEXT_H_
#define OPKIT_GRAPH_TEXT_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::graph {

// Prints the graph; tests read it back (tests/graph_text).
std::string to_text(const Graph& graph);

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_TEXT_H_
