// Covers with formats, against every combination of candidates whose cost is counted from what has
// to be turned.
#include "opkit/atc/compile/layout_choice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "opkit/rewrite/cover/cover.h"

namespace opkit::compile {
namespace {

struct Model {
  std::vector<LayoutNode> nodes;
  std::vector<std::pair<size_t, size_t>> edges;
  std::vector<std::string> outputs;
  std::vector<LayoutCandidate> candidates;
};

std::string value_of(size_t node) { return fmt::format("v{}", node); }

// Returns what the candidates pay together: each for itself, less the turns that are not needed.
uint64_t paid(const Model& model, const std::vector<size_t>& chosen) {
  uint64_t cost = 0;
  for (const size_t c : chosen) cost += model.candidates[c].cost;
  for (const size_t giver : chosen) {
    for (const StoredValue& given : model.candidates[giver].gives) {
      if (given.turn == 0) continue;
      const auto& out = model.outputs;
      bool dense = std::find(out.begin(), out.end(), given.value) != out.end();
      uint64_t saved = 0;
      for (const size_t reader : chosen) {
        for (const StoredValue& read : model.candidates[reader].reads) {
          if (read.value != given.value || reader == giver) continue;
          const bool same = read.format == given.format && read.turn > 0;
          same ? saved += read.turn : dense = true;
        }
      }
      cost -= saved + (dense ? 0 : given.turn);
    }
  }
  return cost;
}

uint64_t cheapest(const Model& model, size_t node, std::set<size_t> covered,
                  std::vector<size_t> chosen) {
  while (covered.count(node) > 0) ++node;
  if (node == model.nodes.size()) return paid(model, chosen);
  uint64_t best = std::numeric_limits<uint64_t>::max();
  for (size_t c = 0; c < model.candidates.size(); ++c) {
    const std::vector<size_t>& nodes = model.candidates[c].nodes;
    const bool fits =
        nodes.front() == node &&
        std::none_of(nodes.begin(), nodes.end(), [&](size_t n) { return covered.count(n) > 0; });
    if (!fits) continue;
    std::set<size_t> more = covered;
    more.insert(nodes.begin(), nodes.end());
    std::vector<size_t> with = chosen;
    with.push_back(c);
    best = std::min(best, cheapest(model, node, more, with));
  }
  return best;
}

// A chain with some skips; each node by itself, dense or in one of two formats, and some pairs.
Model random_model(std::mt19937& random) {
  const size_t count = 2 + random() % 6;
  Model model;
  std::vector<std::set<size_t>> sources(count);
  for (size_t n = 0; n < count; ++n) {
    if (n > 0) sources[n].insert(n - 1);
    if (n > 1 && random() % 3 == 0) sources[n].insert(random() % (n - 1));
    LayoutNode node;
    for (const size_t source : sources[n]) {
      node.reads.push_back(value_of(source));
      model.edges.emplace_back(source, n);
    }
    node.gives = {value_of(n)};
    model.nodes.push_back(node);
  }
  model.outputs = {value_of(count - 1)};
  if (random() % 3 == 0) model.outputs.push_back(value_of(random() % count));
  const auto format = [&] {
    constexpr Format kFormats[] = {Format::kND, Format::kNC1HWC0, Format::kNC1HWC0,
                                   Format::kFractalNZ};
    return kFormats[random() % 4];
  };
  const auto turn = [](Format one) { return one == Format::kND ? uint64_t{0} : uint64_t{20}; };
  const auto add = [&](const std::vector<size_t>& nodes) {
    LayoutCandidate candidate{nodes, 10 + random() % 60, {}, {}};
    const Format in = format(), out = format();
    std::set<std::string> reads;
    for (const size_t n : nodes) {
      for (const size_t source : sources[n]) {
        if (std::count(nodes.begin(), nodes.end(), source) == 0) reads.insert(value_of(source));
      }
    }
    for (const std::string& value : reads) candidate.reads.push_back({value, in, turn(in)});
    candidate.gives = {{value_of(nodes.back()), out, turn(out)}};
    candidate.cost += reads.size() * turn(in) + turn(out);
    model.candidates.push_back(candidate);
  };
  for (size_t n = 0; n < count; ++n) {
    for (size_t i = 0; i <= random() % 2; ++i) add({n});
    // The first of a pair is read by the second alone.
    size_t readers = 0;
    for (const auto& [from, to] : model.edges) readers += n > 0 && from == n - 1;
    const auto& out = model.outputs;
    if (n > 0 && readers == 1 && std::count(out.begin(), out.end(), value_of(n - 1)) == 0 &&
        random() % 2 == 0)
      add({n - 1, n});
  }
  return model;
}

TEST(LayoutChoice, IsTheCheapestOfAllCombinations) {
  size_t open = 0, saving = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const Model model = random_model(random);
    const LayoutProblem made =
        layout_problem(model.nodes, model.edges, model.outputs, model.candidates);
    const auto cover = cover::cover(made.problem);
    ASSERT_TRUE(cover.ok()) << seed << cover.error().to_string();
    std::vector<size_t> chosen;
    uint64_t saved = 0;
    for (const size_t v : cover->chosen) {
      chosen.push_back(made.variants[v].candidate);
      saved += made.variants[v].saved;
    }
    open += made.values;
    saving += saved > 0;
    // Where one value is given in one of two formats, the second is no agreement.
    bool one_format = true;
    std::map<std::string, std::set<Format>> given;
    for (const LayoutCandidate& candidate : model.candidates) {
      for (const StoredValue& one : candidate.gives) {
        if (one.turn > 0) given[one.value].insert(one.format);
      }
    }
    for (const auto& [value, formats] : given) one_format = one_format && formats.size() == 1;
    const uint64_t best = cheapest(model, 0, {}, {});
    EXPECT_GE(cover->cost, paid(model, chosen)) << seed;
    EXPECT_GE(cover->cost, best) << seed;
    if (one_format) {
      EXPECT_EQ(cover->cost, best) << seed;
    }
  }
  EXPECT_GT(open, 1000u);
  EXPECT_GT(saving, 300u);
}

// A block with what it adds, as residual networks begin their stages: of its five values two lie
// inside, and those beside it keep their format.
TEST(LayoutChoice, ValuesInsideACandidateCloseNoOthers) {
  constexpr Format kImages = Format::kNC1HWC0;
  constexpr uint64_t kTurn = 20;
  Model model;
  model.nodes = {{{}, {"v0"}},     {{"v0"}, {"v1"}},       {{"v0"}, {"v2"}},
                 {{"v2"}, {"v3"}}, {{"v1", "v3"}, {"v4"}}, {{"v4"}, {"v5"}}};
  model.edges = {{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}, {4, 5}};
  model.outputs = {"v5"};
  const auto add = [&](const std::vector<size_t>& nodes, const std::vector<std::string>& reads,
                       const std::string& gives) {
    LayoutCandidate candidate{nodes, 10, {}, {{gives, kImages, kTurn}}};
    for (const std::string& value : reads) candidate.reads.push_back({value, kImages, kTurn});
    candidate.cost += (reads.size() + 1) * kTurn;
    model.candidates.push_back(candidate);
  };
  for (size_t n = 0; n < model.nodes.size(); ++n)
    add({n}, model.nodes[n].reads, model.nodes[n].gives[0]);
  add({2, 3, 4}, {"v0", "v1"}, "v4");
  const LayoutProblem made =
      layout_problem(model.nodes, model.edges, model.outputs, model.candidates);
  const auto cover = cover::cover(made.problem);
  ASSERT_TRUE(cover.ok()) << cover.error().to_string();
  EXPECT_EQ(cover->cost, 4 * 10 + kTurn);  // the block, and the nodes beside it; v5 is turned
  EXPECT_EQ(cover->cost, cheapest(model, 0, {}, {}));
}

TEST(LayoutChoice, WithoutFormatsIsTheProblemItself) {
  Model model;
  model.nodes = {{{}, {"v0"}}, {{"v0"}, {"v1"}}};
  model.edges = {{0, 1}};
  model.outputs = {"v1"};
  model.candidates = {
      {{0}, 5, {}, {{"v0", Format::kND, 0}}}, {{1}, 7, {}, {}}, {{0, 1}, 9, {}, {}}};
  const LayoutProblem made =
      layout_problem(model.nodes, model.edges, model.outputs, model.candidates);
  EXPECT_EQ(made.values, 0u);
  EXPECT_EQ(made.problem.nodes, 2u);
  ASSERT_EQ(made.problem.candidates.size(), 3u);
  EXPECT_EQ(made.problem.candidates[2].nodes, (std::vector<size_t>{0, 1}));
}

}  // namespace
}  // namespace opkit::compile
