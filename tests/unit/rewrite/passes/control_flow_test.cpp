// Branches and iterations as nodes of the graph around them.
#include <gmock/gmock.h>

#include "opkit/rewrite/passes/rewrite.h"
#include "opkit/rewrite/passes/unroll.h"
#include "rewritten.h"
#include "tests/control_nodes.h"

namespace opkit::passes {
namespace {

using ::testing::HasSubstr;

std::string known_if(bool condition) {
  return std::string("graph \"known\" opset 17\ninput x: float32[2, 2]\nconst c: bool[] = ") +
         (condition ? "1" : "0") +
         "\nconst w: float32[2, 2] = 1, 2, 3, 4\ny, z = If(c, x, w) @\"if\"\nr = Abs(y)\n"
         "output r\noutput z\n";
}

Graph with_branches(const std::string& text, int opset) {
  Graph graph = graph_of(text);
  graph.nodes[0].attributes = choosing_if().nodes[0].attributes;
  for (const char* branch : {"then_branch", "else_branch"}) {
    Graph body = *graph::body_of(graph.nodes[0], branch);
    body.opset = opset;
    graph::set_body(graph.nodes[0], branch, body);
  }
  return graph;
}

TEST(InlineBranches, TakesTheKnownOne) {
  for (const bool condition : {false, true}) {
    // A body of another version of the operators is raised first.
    for (const int opset : {17, 9}) {
      const Graph before = with_branches(known_if(condition), 17);
      Graph after = with_branches(known_if(condition), opset);
      after.opset = 20;
      ASSERT_TRUE(reference::infer(after).ok());
      const auto changes = inline_branches(after);
      ASSERT_TRUE(changes.ok()) << changes.error().to_string();
      EXPECT_EQ(*changes, 1u);
      ASSERT_TRUE(graph::sort_nodes(after).ok());
      ASSERT_TRUE(graph::validate(after).ok()) << to_text(after);
      EXPECT_THAT(to_text(after), HasSubstr(condition ? "Mul(" : "Sub("));
      expect_same_values(before, after, 0);
    }
  }
}

TEST(InlineBranches, LeavesWhatDataDecide) {
  Graph graph = choosing_if();
  ASSERT_TRUE(reference::infer(graph).ok());
  const auto changes = inline_branches(graph);
  ASSERT_TRUE(changes.ok());
  EXPECT_EQ(*changes, 0u);
}

// An If inside of an If: the inner one is folded in the second round.
TEST(InlineBranches, GoesInward) {
  Graph inner = with_branches(known_if(true), 17);
  Graph outer = graph_of(
      "graph \"outer\" opset 17\ninput x: float32[2, 2]\nconst c: bool[] = 1\n"
      "r, z = If(c, x) @\"if\"\noutput r\noutput z\n");
  outer = with_bodies(std::move(outer), "if", 1, {{"then_branch", inner}, {"else_branch", inner}});
  Graph after = outer;
  ASSERT_TRUE(canonicalize(after, canonical_rewrites()).ok());
  EXPECT_EQ(to_text(after).find("If("), std::string::npos) << to_text(after);
  expect_same_values(outer, after, 0);
}

void expect_unrolled(Graph graph, int64_t trips, const std::string& has) {
  ASSERT_TRUE(reference::infer(graph).ok());
  Graph after = graph;
  const auto done = unroll(after, 0, trips);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  ASSERT_TRUE(*done);
  ASSERT_TRUE(graph::validate(after).ok()) << to_text(after);
  ASSERT_TRUE(reference::infer(after).ok());
  EXPECT_THAT(to_text(after), HasSubstr(has));
  expect_same_values(graph, after, 0);
}

TEST(Unroll, WritesOutAScan) { expect_unrolled(summing_scan(), 4, "@\"add#3\""); }

TEST(Unroll, WritesOutALoop) {
  expect_unrolled(
      with_body("graph \"powers\" opset 17\ninput x: float32[2]\nconst n: int64[] = 3\n"
                "const w: float32[2] = 3, 4\n"
                "y, all = Loop(n, _, x, w) @\"loop\"\noutput y\noutput all\n",
                "loop", 1,
                "graph \"b\" opset 17\ninput i: int64[1]\ninput c: bool[]\n"
                "input v: float32[...]\ninput w: float32[...]\nj = Cast(i) {to=\"float32\"}\n"
                "m = Mul(v, w) @\"mul\"\nt = Add(m, j)\noutput c\noutput t\noutput m\n"),
      3, "@\"mul#2\"");
}

}  // namespace
}  // namespace opkit::passes
