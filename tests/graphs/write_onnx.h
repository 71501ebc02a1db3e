// Graphs as ONNX files, for other programs to judge.
#ifndef TESTS_GRAPHS_WRITE_ONNX_H_
#define TESTS_GRAPHS_WRITE_ONNX_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::graph_tests {

std::string onnx_bytes(const graph::Graph& graph);

// Inputs and what the interpreter says of the outputs, as JSON; empty when it says nothing.
std::string data_json(const graph::Graph& graph);

}  // namespace opkit::graph_tests

#endif  // TESTS_GRAPHS_WRITE_ONNX_H_
