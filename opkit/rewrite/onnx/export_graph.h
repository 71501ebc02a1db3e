// Graphs as ONNX files, for viewers and other programs.
#ifndef OPKIT_REWRITE_ONNX_EXPORT_GRAPH_H_
#define OPKIT_REWRITE_ONNX_EXPORT_GRAPH_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::onnx_frontend {

// Nodes of a graph that somebody takes together.
struct FusedRegion {
  std::string op;  // who
  std::vector<size_t> nodes;
  std::map<std::string, graph::Attribute> notes;  // "us": what it takes
};

// The domain of local functions and of operators that ONNX has not.
inline constexpr const char* kOwnDomain = "opkit";

// Returns the bytes of a model in which each region of several nodes is a local function of the
// domain kOwnDomain, called by one node with the notes as attributes; notes of a single node stand
// in its description. Constants are in the file. REQUIRES: nodes are in order, shapes are inferred,
// no node is in two regions, none outside reads of a region and gives it something. Errors:
// OPK-ONNX-009 more bytes than a file holds; OPK-GRAPH-005 a body that cannot be read.
Result<std::string> onnx_file(const graph::Graph& graph, const std::vector<FusedRegion>& regions);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_EXPORT_GRAPH_H_
