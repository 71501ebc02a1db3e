// Small graphs for tests of quantization.
#ifndef OPKIT_TESTS_UNIT_QUANTIZE_GRAPHS_H_
#define OPKIT_TESTS_UNIT_QUANTIZE_GRAPHS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::quantize {

inline graph::RefTensor floats(Shape shape, std::vector<double> values) {
  return {DType::kFloat32, std::move(shape), std::move(values)};
}

// Returns what find_layers takes: first results of all nodes.
inline std::set<std::string> results_of(const graph::Graph& graph) {
  std::set<std::string> all;
  for (const graph::Node& node : graph.nodes) all.insert(node.outputs[0]);
  return all;
}

// Returns y = BatchNormalization(Conv(x)) with 1x1 weights of two channels.
inline graph::Graph conv_and_norm(std::vector<double> variance) {
  graph::Graph net;
  net.add_input("x", DType::kFloat32, {1, 1, 2, 2});
  net.add_constant("w", floats({2, 1, 1, 1}, {1, 2}));
  net.add_constant("scale", floats({2}, {1, 3}));
  net.add_constant("shift", floats({2}, {0.5, -1}));
  net.add_constant("mean", floats({2}, {0, 4}));
  net.add_constant("variance", floats({2}, std::move(variance)));
  net.nodes.push_back({"Conv", {"x", "w"}, {"c"}, {}, "conv"});
  net.nodes.push_back({"BatchNormalization",
                       {"c", "scale", "shift", "mean", "variance"},
                       {"y"},
                       {{"epsilon", 0.0}},
                       "norm"});
  net.outputs = {"y"};
  return net;
}

// Returns two MatMul nodes, "left" and "right", that read x, and their sum y.
inline graph::Graph two_readers() {
  graph::Graph net;
  net.add_input("x", DType::kFloat32, {2, 2});
  net.add_constant("v", floats({2, 2}, {1, 0, 0, 1}));
  net.add_constant("w", floats({2, 2}, {1, 2, 3, 4}));
  net.nodes.push_back({"MatMul", {"x", "v"}, {"a"}, {}, "left"});
  net.nodes.push_back({"MatMul", {"x", "w"}, {"b"}, {}, "right"});
  net.nodes.push_back({"Add", {"a", "b"}, {"y"}, {}, "sum"});
  net.outputs = {"y"};
  return net;
}

}  // namespace opkit::quantize

#endif  // OPKIT_TESTS_UNIT_QUANTIZE_GRAPHS_H_
