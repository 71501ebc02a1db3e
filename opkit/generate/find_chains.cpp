#include "opkit/generate/find_chains.h"

#include <algorithm>
#include <map>
#include <set>

#include "opkit/soc/soc_spec.h"
#include "opkit/trace/rates.h"

namespace opkit::generate {
namespace {

using analyze::Chain;
using compile::Candidate;
using compile::Taker;
using graph::Graph;

class Finder {
 public:
  explicit Finder(const compile::Compiled& compiled)
      : compiled_(compiled),
        graph_(compiled.graph),
        chosen_(compiled.cover.chosen),
        outputs_(graph_.outputs.begin(), graph_.outputs.end()),
        taken_(chosen_.size()) {
    std::sort(chosen_.begin(), chosen_.end(),
              [&](size_t a, size_t b) { return nodes_of(a).back() < nodes_of(b).back(); });
    for (size_t unit = 0; unit < chosen_.size(); ++unit) {
      for (const size_t n : nodes_of(chosen_[unit])) link(unit, graph_.nodes[n]);
    }
  }

  // From the results backwards.
  std::vector<Chain> run() {
    std::vector<Chain> chains;
    for (size_t unit = chosen_.size(); unit-- > 0;) {
      if (taken_[unit] || !can_be_written({unit})) continue;
      const std::set<size_t> units = grown_from(unit);
      if (units.size() < 2) continue;
      for (const size_t one : units) taken_[one] = true;
      chains.push_back(chain_of(units));
    }
    std::reverse(chains.begin(), chains.end());
    return chains;
  }

 private:
  const std::vector<size_t>& nodes_of(size_t candidate) const {
    return compiled_.candidates.all[candidate].nodes;
  }

  void link(size_t unit, const graph::Node& node) {
    for (const std::string& output : node.outputs) maker_[output] = unit;
    for (const std::string& input : node.inputs) readers_[input].insert(unit);
  }

  Chain chain_of(const std::set<size_t>& units) const {
    Chain chain;
    for (const size_t unit : units) {
      chain.units.push_back(chosen_[unit]);
      const std::vector<size_t>& nodes = nodes_of(chosen_[unit]);
      chain.nodes.insert(chain.nodes.end(), nodes.begin(), nodes.end());
    }
    std::sort(chain.nodes.begin(), chain.nodes.end());
    return chain;
  }

  bool can_be_written(const std::set<size_t>& units) const {
    for (const size_t unit : units) {
      if (compiled_.candidates.all[chosen_[unit]].taker == Taker::kView) return false;
    }
    return author::region_of(graph_, chain_of(units).nodes).ok();
  }

  std::set<size_t> grown_from(size_t last) const {
    std::set<size_t> units = {last};
    for (bool grew = true; grew;) {
      grew = false;
      for (const size_t before : makers_of(units)) {
        if (!joins(before, units, last)) continue;
        units.insert(before);
        grew = true;
      }
    }
    return units;
  }

  // Units that make what these read, the latest first.
  std::vector<size_t> makers_of(const std::set<size_t>& units) const {
    std::set<size_t> makers;
    for (const size_t unit : units) {
      for (const size_t n : nodes_of(chosen_[unit])) {
        for (const std::string& input : graph_.nodes[n].inputs) {
          const auto maker = maker_.find(input);
          if (maker != maker_.end() && units.count(maker->second) == 0)
            makers.insert(maker->second);
        }
      }
    }
    return {makers.rbegin(), makers.rend()};
  }

  bool joins(size_t unit, std::set<size_t> units, size_t last) const {
    const graph::Node& end = graph_.nodes[nodes_of(chosen_[unit]).back()];
    if (taken_[unit] || !is_inner(unit, units)) return false;
    if (shape_of(end) != shape_of(graph_.nodes[nodes_of(chosen_[last]).back()])) return false;
    if (!can_be_written({unit})) return false;
    units.insert(unit);
    return can_be_written(units);
  }

  const Shape& shape_of(const graph::Node& node) const {
    return *graph_.values.at(node.outputs[0]).shape;
  }

  // Nobody but itself and these units reads what the unit makes.
  bool is_inner(size_t unit, const std::set<size_t>& units) const {
    for (const size_t n : nodes_of(chosen_[unit])) {
      for (const std::string& output : graph_.nodes[n].outputs) {
        if (outputs_.count(output) > 0) return false;
        const auto readers = readers_.find(output);
        if (readers == readers_.end()) continue;
        for (const size_t reader : readers->second) {
          if (reader != unit && units.count(reader) == 0) return false;
        }
      }
    }
    return true;
  }

  const compile::Compiled& compiled_;
  const Graph& graph_;
  std::vector<size_t> chosen_;  // candidates; a unit is a place in this list
  std::set<std::string> outputs_;
  std::vector<bool> taken_;  // units, by a chain
  std::map<std::string, size_t> maker_;
  std::map<std::string, std::set<size_t>> readers_;
};

}  // namespace

Result<std::vector<WorthyChain>> find_worthy_chains(const compile::Compiled& compiled) {
  OPKIT_TRY(const SocMatch soc, find_soc(compiled.model().soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*soc.spec));
  std::vector<WorthyChain> worthy;
  for (Chain& chain : Finder(compiled).run()) {
    const analyze::Gain gain = analyze::gain_of(compiled, chain, rates);
    if (gain.saved_traffic() < kLeastSaved) continue;
    OPKIT_TRY(author::Region region, author::region_of(compiled.graph, chain.nodes));
    worthy.push_back({std::move(chain), gain, std::move(region)});
  }
  return worthy;
}

}  // namespace opkit::generate
