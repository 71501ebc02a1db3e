// Thousands of random graphs, always the same: the canonical form computes what the graph in its
// own version of the operators does, and so does the compiled model. `fuzz_graphs` goes on by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "opkit/graph/text.h"
#include "tests/graphs/judge.h"
#include "tests/graphs/planted.h"

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

// The number of the first graph that shows the mistake; 0: none of them does.
template <typename Judge>
uint64_t first_wrong(uint64_t graphs, Judge judge) {
  for (uint64_t seed = 1; seed <= graphs; ++seed) {
    if (judge(random_graph(seed)).verdict == Verdict::kWrong) return seed;
  }
  return 0;
}

TEST(RandomGraphs, ShowEveryMistakeOfARewrite) {
  constexpr uint64_t kEnough = 500;
  for (const passes::Rewrite& planted : planted_errors()) {
    const uint64_t first = first_wrong(
        kEnough, [&](const graph::Graph& graph) { return judge_canonical(graph, &planted); });
    EXPECT_GT(first, 0u) << planted.name << ": " << planted.does;
    fmt::print("{}: graph {}\n", planted.name, first);
  }
}

TEST(RandomGraphs, ShowAMistakeOfWhatIsCompiled) {
  const TestOps opened = open_test_ops();
  if (!opened.ops) GTEST_SKIP() << "no packages: run `make ops` first";
  const uint64_t first = first_wrong(150, [&](const graph::Graph& graph) {
    return judge_compiled(graph, *opened.ops, &planted_errors().front());
  });
  EXPECT_GT(first, 0u);
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

// A product of 144 fractions is 0 in float32 and not in the interpreter's numbers, and Hardmax
// chooses another element then: no kernel is wrong.
TEST(RandomGraphs, ProductsThatBecomeZeroAreNoMistake) {
  const TestOps opened = open_test_ops();
  if (!opened.ops) GTEST_SKIP() << "no packages: run `make ops` first";
  const Judged judged = judge_compiled(random_graph(90000249), *opened.ops);
  EXPECT_EQ(judged.verdict, Verdict::kSame) << judged.text;
}

}  // namespace
}  // namespace opkit::graph_tests
