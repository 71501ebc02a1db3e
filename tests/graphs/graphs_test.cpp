// Thousands of random graphs, always the same: the canonical form computes what the graph in its
// own version of the operators does, and so does the compiled model. `fuzz_graphs` goes on by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "opkit/graph/text.h"
#include "tests/graphs/judge.h"

namespace opkit::graph_tests {
namespace {

TEST(RandomGraphs, HaveACanonicalFormThatComputesTheSame) {
  Report report;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    const graph::Graph graph = random_graph(seed);
    const Judged judged = judge_canonical(graph);
    report.add(graph, judged);
    ASSERT_NE(judged.verdict, Verdict::kWrong) << "seed " << seed << ": " << judged.text << "\n"
                                               << graph::to_text(graph);
  }
  fmt::print("{}", report.text());
  EXPECT_GT(report.verdicts[Verdict::kSame], 3600u);
  EXPECT_EQ(report.versions.size(), 17u);
}

TEST(RandomGraphs, AreCompiledToWhatTheyCompute) {
  const TestOps opened = open_test_ops();
  if (!opened.ops) GTEST_SKIP() << "no packages: run `make ops` first";
  Report report;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const graph::Graph graph = random_graph(seed);
    const Judged judged = judge_compiled(graph, *opened.ops);
    report.add(graph, judged);
    ASSERT_NE(judged.verdict, Verdict::kWrong) << "seed " << seed << ": " << judged.text << "\n"
                                               << graph::to_text(graph);
  }
  fmt::print("{}", report.text());
  EXPECT_GT(report.verdicts[Verdict::kSame], 120u);
}

}  // namespace
}  // namespace opkit::graph_tests
