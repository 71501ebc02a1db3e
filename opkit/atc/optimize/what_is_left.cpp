#include "opkit/atc/optimize/what_is_left.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/optimize/bound.h"
#include "opkit/call/trace/rates.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::optimize {

using compile::Candidate;
using compile::Compiled;
using graph::Graph;
using graph::Node;

namespace {

constexpr size_t kNobody = SIZE_MAX;

bool is_launch(const Candidate& one) {
  return one.taker == compile::Taker::kPlugin && !one.on_aicpu();
}

// Nanoseconds until all cores of the launch have started.
uint64_t start_of(const Candidate& one, const core::TimingRates& rates) {
  const std::string& type = one.op->contract().kernel->task_type;
  const uint64_t blocks = std::max(one.plan->tiling.block_dim, 1u);
  const uint64_t vectors = type == "aic_only" ? 0 : type == "mix_1_2" ? 2 * blocks : blocks;
  const uint64_t cubes = type == "aiv_only" ? 0 : blocks;
  return rates.launch_ns +
         std::max(std::min<uint64_t>(cubes, rates.cube_cores) * rates.launch_cube_ns,
                  std::min<uint64_t>(vectors, rates.vector_cores) * rates.launch_vector_ns);
}

// Bytes of weights that the launch reads whole.
double weight_bytes(const Graph& graph, const Candidate& one) {
  static const std::set<std::string> kProducts = {"Conv", "Gemm", "MatMul"};
  std::set<std::string> names;
  for (const size_t n : one.nodes) {
    if (kProducts.count(graph.nodes[n].op_type) == 0) continue;
    for (const std::string& name : graph.nodes[n].inputs)
      if (graph.constant(name) != nullptr) names.insert(name);
  }
  double bytes = 0;
  for (const std::string& name : names) bytes += bytes_of_value(graph, name);
  return bytes;
}

// Who defines each value, by candidate.
std::map<std::string, size_t> definers(const Graph& graph, const std::vector<size_t>& takers) {
  std::map<std::string, size_t> found;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) found[output] = takers[n];
  }
  return found;
}

// Walks the nodes until no chain gets longer: nodes of one launch may stand apart.
size_t longest_chain(const Compiled& compiled, const std::vector<size_t>& takers) {
  const Graph& graph = compiled.graph;
  const std::map<std::string, size_t> definer = definers(graph, takers);
  std::map<size_t, size_t> chain;  // up to and with each candidate
  for (const size_t c : takers) chain[c] = is_launch(compiled.candidates.all[c]) ? 1 : 0;
  for (bool longer = true; longer;) {
    longer = false;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const size_t here = takers[n], own = is_launch(compiled.candidates.all[here]) ? 1 : 0;
      for (const std::string& input : graph.nodes[n].inputs) {
        const auto from = definer.find(input);
        if (from == definer.end() || from->second == here) continue;
        if (chain[from->second] + own <= chain[here]) continue;
        chain[here] = chain[from->second] + own;
        longer = true;
      }
    }
  }
  size_t longest = 0;
  for (const auto& [c, length] : chain) longest = std::max(longest, length);
  return longest;
}

// Bytes that launches read of what other launches wrote, once for each that reads.
double bytes_between(const Compiled& compiled, const std::vector<size_t>& takers) {
  const Graph& graph = compiled.graph;
  const std::map<std::string, size_t> definer = definers(graph, takers);
  std::set<std::pair<size_t, std::string>> counted;
  double bytes = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!is_launch(compiled.candidates.all[takers[n]])) continue;
    for (const std::string& input : graph.nodes[n].inputs) {
      const auto from = definer.find(input);
      const size_t who = from == definer.end() ? kNobody : from->second;
      if (who == kNobody || who == takers[n] || !counted.insert({takers[n], input}).second)
        continue;
      bytes += bytes_of_value(graph, input);
    }
  }
  return bytes;
}

}  // namespace

Result<WhatIsLeft> what_is_left(const Compiled& compiled, const std::string& soc) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  OPKIT_TRY(const compile::Costs costs, compile::Costs::of(soc, {}));
  const auto nanoseconds = [&](double cycles) {
    return static_cast<uint64_t>(cycles * 1000 / std::max(rates.frequency_mhz, 1u));
  };
  const std::vector<size_t> takers = compiled.takers();
  const double of_memory = 1.0 / std::max(rates.hbm, 1u),
               of_l2 = 1.0 / std::max({rates.l2, rates.hbm, 1u});
  WhatIsLeft left;
  std::vector<uint64_t> starts;
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& one = compiled.candidates.all[c];
    if (!is_launch(one)) continue;
    const double weights = weight_bytes(compiled.graph, one) * of_memory;
    left.floor_ns += std::max(costs.bound_apart_from_turns(compiled.graph, one),
                              rates.launch_ns + nanoseconds(weights));
    starts.push_back(start_of(one, rates));
  }
  left.launches = starts.size();
  left.starts_ns = std::accumulate(starts.begin(), starts.end(), uint64_t{0});
  left.in_a_row = longest_chain(compiled, takers);
  std::sort(starts.begin(), starts.end());
  left.beside_ns = std::accumulate(starts.begin() + static_cast<std::ptrdiff_t>(left.in_a_row),
                                   starts.end(), uint64_t{0});
  left.resident_ns = nanoseconds(bytes_between(compiled, takers) * (of_memory - of_l2));
  return left;
}

}  // namespace opkit::optimize
