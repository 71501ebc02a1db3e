#include "opkit/atc/optimize/what_is_left.h"

#include <algorithm>
#include <map>
#include <set>

#include "opkit/atc/compile/costs.h"
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
      const Shape* shape = passes::shape_of(graph, input);
      if (shape == nullptr || !shape->is_static()) continue;
      bytes += static_cast<double>(
          bytes_of(passes::dtype_of(graph, input), static_cast<uint64_t>(shape->elements())));
    }
  }
  return bytes;
}

}  // namespace

Result<WhatIsLeft> what_is_left(const Compiled& compiled, const std::string& soc) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  OPKIT_TRY(const compile::Costs costs, compile::Costs::of(soc, {}));
  const std::vector<size_t> takers = compiled.takers();
  WhatIsLeft left;
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& one = compiled.candidates.all[c];
    if (!is_launch(one)) continue;
    ++left.launches;
    left.floor_ns += costs.bound(compiled.graph, one);
  }
  left.in_a_row = longest_chain(compiled, takers);
  left.beside_ns = (left.launches - left.in_a_row) * rates.launch_ns;
  const double more = 1.0 / std::max(rates.hbm, 1u) - 1.0 / std::max({rates.l2, rates.hbm, 1u});
  left.resident_ns = static_cast<uint64_t>(bytes_between(compiled, takers) * more * 1000 /
                                           std::max(rates.frequency_mhz, 1u));
  return left;
}

}  // namespace opkit::optimize
