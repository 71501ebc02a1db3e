// Nodes with bodies for tests: graphs as texts, put into each other.
#ifndef OPKIT_TESTS_CONTROL_NODES_H_
#define OPKIT_TESTS_CONTROL_NODES_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "opkit/graph/bodies.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {

inline graph::Graph graph_of(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string() << text;
  return graph.ok() ? std::move(*graph) : graph::Graph();
}

// The graph whose node of the name `node` has these bodies; its last `captured` inputs are
// captured ones.
inline graph::Graph with_bodies(graph::Graph graph, const std::string& node, int64_t captured,
                                const std::vector<std::pair<std::string, graph::Graph>>& bodies) {
  for (graph::Node& one : graph.nodes) {
    if (one.name != node) continue;
    one.attributes[graph::kCaptured] = captured;
    for (const auto& [attribute, body] : bodies) graph::set_body(one, attribute, body);
  }
  return graph;
}

inline graph::Graph with_body(const std::string& text, const std::string& node, int64_t captured,
                              const std::string& body) {
  return with_bodies(graph_of(text), node, captured, {{"body", graph_of(body)}});
}

// Halves x until its sum is below the limit, at most `most` times, and counts how often; w is a
// weight that the body captures.
inline graph::Graph halving_loop(const std::string& most = "10") {
  return with_body(
      "graph \"halving\" opset 17\ninput x: float32[1, 4]\ninput limit: float32[]\n"
      "const most: int64[] = " +
          most +
          "\nconst yes: bool[] = 1\n"
          "const none: int64[] = 0\nconst w: float32[1, 4] = 0.5, 0.25, 0.5, 0.75\n"
          "y, n = Loop(most, yes, x, none, limit, w) @\"loop\"\noutput y\noutput n\n",
      "loop", 2,
      "graph \"half\" opset 17\ninput i: int64[]\ninput c: bool[]\n"
      "input v: float32[...]\ninput k: int64[...]\ninput limit: float32[...]\n"
      "input w: float32[...]\nconst one: int64[] = 1\n"
      "h = Mul(v, w) @\"scale\"\ns = ReduceSum(h) {keepdims=0}\n"
      "on = Greater(s, limit)\nkk = Add(k, one)\n"
      "output on\noutput h\noutput kk\n");
}

// Adds up parts of x from the last to the first, and gives each sum.
inline graph::Graph summing_scan() {
  return with_body(
      "graph \"summing\" opset 17\ninput x: float32[3, 4]\ninput s: float32[3]\n"
      "t, y = Scan(s, x) {num_scan_inputs=1, scan_input_axes=[1], "
      "scan_input_directions=[1], scan_output_axes=[-1]} @\"scan\"\n"
      "output t\noutput y\n",
      "scan", 0,
      "graph \"sum\" opset 17\ninput a: float32[...]\ninput p: float32[...]\n"
      "b = Add(a, p) @\"add\"\nc = Neg(b)\noutput b\noutput c\n");
}

// Takes a product or a difference, as the input says.
inline graph::Graph choosing_if() {
  return with_bodies(
      graph_of("graph \"choosing\" opset 17\ninput c: bool[]\ninput x: float32[2, 2]\n"
               "const w: float32[2, 2] = 1, 2, 3, 4\n"
               "y, z = If(c, x, w) @\"if\"\nr = Abs(y)\noutput r\noutput z\n"),
      "if", 2,
      {{"then_branch", graph_of("graph \"yes\" opset 17\ninput x: float32[...]\n"
                                "input w: float32[...]\na = Mul(x, w) @\"product\"\n"
                                "b = Neg(a)\noutput a\noutput b\n")},
       {"else_branch", graph_of("graph \"no\" opset 17\ninput x: float32[...]\n"
                                "input w: float32[...]\na = Sub(x, w) @\"difference\"\n"
                                "output a\noutput x\n")}});
}

// Multiplies frames by the weights of their rate, 16 or another one: frames of 3 fit those of 16,
// frames of 4 the others.
inline graph::Graph rated_if(const std::string& frame) {
  return with_bodies(
      graph_of("graph \"rated\" opset 17\ninput rate: int64[]\ninput x: float32[2, " + frame +
               "]\nconst high: int64[] = 16\nconst v: float32[3, 1] = 1, 2, 3\n"
               "const w: float32[4, 1] = 4, 5, 6, 7\nc = Equal(rate, high)\n"
               "y = If(c, x, v, w) @\"rates\"\nz = Neg(y)\noutput z\n"),
      "rates", 3,
      {{"then_branch", graph_of("graph \"high\" opset 17\ninput x: float32[...]\n"
                                "input v: float32[...]\ninput w: float32[...]\n"
                                "a = MatMul(x, v) @\"of_high\"\noutput a\n")},
       {"else_branch", graph_of("graph \"low\" opset 17\ninput x: float32[...]\n"
                                "input v: float32[...]\ninput w: float32[...]\n"
                                "a = MatMul(x, w) @\"of_low\"\noutput a\n")}});
}

}  // namespace opkit

#endif  // OPKIT_TESTS_CONTROL_NODES_H_
