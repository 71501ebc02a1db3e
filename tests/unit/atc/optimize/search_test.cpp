// The search by costs that are written here.
#include "opkit/atc/optimize/search.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::optimize {
namespace {

using graph::Graph;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Graph parsed(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(*graph);
}

// Two layers of a network that turns what it adds to.
const std::string kNet =
    "input x: float32[2, 3, 4]\nconst c: float32[3] = 1, 2, 3\nconst d: float32[4] = 1, 2, 3, 4\n"
    "a = Transpose(x) {perm=[0, 2, 1]}\nb = Add(a, c)\nr = Relu(b)\n"
    "e = Transpose(r) {perm=[0, 2, 1]}\nf = Add(e, d)\ny = Relu(f)\noutput y\n";

// Counts nodes of these operators that read an input of the model, 100 off for each.
uint64_t cost(const Graph& graph, const std::string& op) {
  uint64_t sum = 1000;
  for (const graph::Node& node : graph.nodes) {
    const bool first = std::count(graph.inputs.begin(), graph.inputs.end(), node.inputs[0]) > 0;
    if (node.op_type == op && first) sum -= 100;
  }
  return sum;
}

TEST(Search, TakesWhatLowersTheCost) {
  const auto found =
      search(parsed(kNet), [](const Graph& graph) { return Result(cost(graph, "Add")); }, {});
  ASSERT_TRUE(found.ok()) << found.error().to_string();
  EXPECT_EQ(found->plain, 1000u);
  EXPECT_EQ(found->best, 900u);
  ASSERT_THAT(found->taken, SizeIs(1));
  EXPECT_EQ(found->taken[0].step.variant, "hoist_elementwise");
  EXPECT_EQ(found->taken[0].before, 1000u);
  EXPECT_EQ(found->taken[0].after, 900u);
  EXPECT_EQ(found->taken[0].same.values, 1u);
  EXPECT_EQ(found->taken[0].same.worst, 0);
  EXPECT_LE(found->tried, 64u);
  EXPECT_EQ(cost(found->graph, "Add"), 900u);
}

TEST(Search, IsRepeatableAndBounded) {
  const auto once = [](size_t most, uint32_t seed) {
    size_t asked = 0;
    SearchLimits limits{most, seed};
    limits.tried = [&](size_t done) { asked = done; };
    const auto found = search(
        parsed(kNet), [](const Graph& graph) { return Result(cost(graph, "Add")); }, limits);
    EXPECT_TRUE(found.ok());
    EXPECT_LE(asked, most);
    EXPECT_EQ(asked, found->tried);
    std::string steps;
    for (const TakenStep& one : found->taken) steps += one.step.variant + one.step.places[0];
    return steps + to_text(found->graph);
  };
  for (const uint32_t seed : {1u, 2u, 3u}) {
    EXPECT_EQ(once(64, seed), once(64, seed));
    EXPECT_EQ(once(2, seed), once(2, seed));
  }
}

TEST(Search, FindsPairsThatPayTogether) {
  // Each step alone costs.
  const auto pays_together = [](const Graph& graph) {
    const uint64_t both = cost(graph, "Neg") + cost(graph, "Abs");
    return Result<uint64_t>(both == 2000 ? 1000 : both == 1900 ? 1100 : 500);
  };
  const auto found = search(parsed("input x: float32[2, 3]\ninput z: float32[3, 2, 2]\n"
                                   "a = Transpose(x) {perm=[1, 0]}\nb = Neg(a)\n"
                                   "c = Transpose(z) {perm=[2, 1, 0]}\nd = Abs(c)\n"
                                   "output b\noutput d\n"),
                            pays_together, {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->plain, 1000u);
  EXPECT_EQ(found->best, 500u);
  ASSERT_THAT(found->taken, SizeIs(2));
  EXPECT_EQ(found->taken[0].after, 1000u);
  EXPECT_EQ(found->taken[1].after, 500u);
}

bool forgets(Graph& graph, const std::string& place) {
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Add" || node.outputs[0] != place) continue;
    node = {"Neg", {node.inputs[0]}, {place}, {}};
    return true;
  }
  return false;
}

std::vector<std::string> sums(const Graph& graph) {
  std::vector<std::string> places;
  for (const graph::Node& node : graph.nodes)
    if (node.op_type == "Add") places.push_back(node.outputs[0]);
  return places;
}

TEST(Search, RefusesStepsThatMoveValues) {
  const std::vector<variants::Variant> wrong = {{"forgets", "forgets operands", sums, forgets}};
  const auto found = search(
      parsed(kNet),
      [](const Graph& graph) { return Result<uint64_t>(graph.nodes.size() + sums(graph).size()); },
      {}, wrong);
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->taken, SizeIs(0));
  EXPECT_EQ(found->best, found->plain);
  ASSERT_FALSE(found->warnings.empty());
  EXPECT_EQ(found->warnings[0].code, "OPK-ATC-016");
  EXPECT_THAT(found->warnings[0].message, HasSubstr("forgets at '"));
}

TEST(SameOnData, ComparesWhereGraphsDiffer) {
  const Graph before = parsed(kNet);
  Graph after = before;
  ASSERT_EQ(*variants::apply(after, {"hoist_elementwise", {"y"}}), 1u);
  const auto same = same_on_data(before, after);
  ASSERT_TRUE(same.ok()) << same.error().to_string();
  EXPECT_TRUE(same->holds());
  EXPECT_EQ(same->values, 1u);
  ASSERT_TRUE(forgets(after, "b"));
  ASSERT_TRUE(reference::infer(after).ok());
  const auto other = same_on_data(before, after);
  ASSERT_TRUE(other.ok()) << other.error().to_string();
  EXPECT_FALSE(other->holds());
}

}  // namespace
}  // namespace opkit::optimize
