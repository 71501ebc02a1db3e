#include "opkit/fusion/generate/find_chains.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "opkit/call/trace/rates.h"
#include "opkit/fusion/author/formula.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::generate {
namespace {

using analyze::Chain;
using compile::Taker;
using graph::Graph;

class Finder {
 public:
  Finder(const compile::Compiled& compiled, std::string chip)
      : compiled_(compiled),
        chip_(std::move(chip)),
        graph_(compiled.graph),
        chosen_(compiled.cover.chosen),
        outputs_(graph_.outputs.begin(), graph_.outputs.end()),
        taken_(chosen_.size()),
        writable_(chosen_.size()) {
    std::sort(chosen_.begin(), chosen_.end(),
              [&](size_t a, size_t b) { return nodes_of(a).back() < nodes_of(b).back(); });
    for (size_t unit = 0; unit < chosen_.size(); ++unit) {
      for (const size_t n : nodes_of(chosen_[unit])) link(unit, graph_.nodes[n]);
    }
  }

  struct Found {
    Chain chain;
    author::ElementwiseRegion region;
  };

  // Finds chains from the results backwards.
  std::vector<Found> run() {
    std::vector<Found> chains;
    for (size_t unit = chosen_.size(); unit-- > 0;) {
      if (taken_[unit] || !is_writable(unit)) continue;
      std::set<size_t> units = grown_from(unit, Trust::kParts);
      auto region = region_of(units);
      if (!region.ok()) {
        units = grown_from(unit, Trust::kNothing);
        region = region_of(units);
      }
      if (units.size() < 2) continue;
      for (const size_t one : units) taken_[one] = true;
      chains.push_back({chain_of(units), std::move(region).value()});
    }
    std::reverse(chains.begin(), chains.end());
    return chains;
  }

 private:
  // What is believed of units that join a chain. kParts: those that can be written by themselves
  // can be written together, as long as they read few tensors; the whole chain is asked at last.
  enum class Trust : uint8_t { kParts, kNothing };

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

  // Error: nobody can write them. Only the units' own nodes are looked at.
  Result<author::ElementwiseRegion> region_of(const std::set<size_t>& units) const {
    Graph part;
    for (const size_t unit : units) {
      if (compiled_.candidates.all[chosen_[unit]].taker == Taker::kView)
        return Error("", "a view has no formula");
    }
    for (const size_t n : chain_of(units).nodes) add_node(graph_.nodes[n], units, part);
    std::vector<size_t> nodes(part.nodes.size());
    std::iota(nodes.begin(), nodes.end(), size_t{0});
    OPKIT_TRY(author::ElementwiseRegion region, author::region_of(part, nodes));
    const std::vector<std::string> chips = author::chips_of(region);
    if (std::count(chips.begin(), chips.end(), chip_) == 0)
      return Error("", "the chip lacks calls of the formula");
    return region;
  }

  void add_node(const graph::Node& node, const std::set<size_t>& units, Graph& part) const {
    part.nodes.push_back(node);
    for (const std::string& input : node.inputs) {
      if (!input.empty()) part.values.emplace(input, graph_.values.at(input));
    }
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      part.values.emplace(output, graph_.values.at(output));
      if (is_read_outside(output, units)) part.outputs.push_back(output);
    }
  }

  bool is_read_outside(const std::string& value, const std::set<size_t>& units) const {
    if (outputs_.count(value) > 0) return true;
    const auto readers = readers_.find(value);
    return readers != readers_.end() &&
           std::any_of(readers->second.begin(), readers->second.end(),
                       [&](size_t reader) { return units.count(reader) == 0; });
  }

  // Tells whether the unit can be written by itself.
  bool is_writable(size_t unit) {
    if (!writable_[unit]) writable_[unit] = region_of({unit}).ok();
    return *writable_[unit];
  }

  // Values that the units read of others, constants of one element left out.
  size_t inputs_of(const std::set<size_t>& units) const {
    std::set<std::string_view> read;
    for (const size_t unit : units) {
      for (const size_t n : nodes_of(chosen_[unit])) {
        for (const std::string& input : graph_.nodes[n].inputs) {
          const graph::RefTensor* constant = graph_.constant(input);
          const auto maker = maker_.find(input);
          const bool inner = maker != maker_.end() && units.count(maker->second) > 0;
          if (!input.empty() && !inner && (!constant || constant->elements() != 1))
            read.insert(input);
        }
      }
    }
    return read.size();
  }

  std::set<size_t> grown_from(size_t last, Trust trust) {
    std::set<size_t> units = {last};
    for (bool grew = true; grew;) {
      grew = false;
      for (const size_t before : makers_of(units)) {
        if (units.size() == kMostKernels || !joins(before, units, last, trust)) continue;
        units.insert(before);
        grew = true;
      }
    }
    return units;
  }

  // Returns the units that make what these units read, the latest first.
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

  bool joins(size_t unit, std::set<size_t> units, size_t last, Trust trust) {
    const graph::Node& end = graph_.nodes[nodes_of(chosen_[unit]).back()];
    if (taken_[unit] || !is_inner(unit, units)) return false;
    if (end.outputs[0].empty())
      return false;  // it has several results, of which the first is unread
    if (shape_of(end) != shape_of(graph_.nodes[nodes_of(chosen_[last]).back()])) return false;
    units.insert(unit);
    if (trust == Trust::kParts && is_writable(unit)) {
      const size_t inputs = inputs_of(units);
      return inputs > 0 && inputs <= author::kMostInputs;
    }
    return region_of(units).ok();
  }

  const Shape& shape_of(const graph::Node& node) const {
    return *graph_.values.at(node.outputs[0]).shape;
  }

  // Nobody but itself and these units reads what the unit makes.
  bool is_inner(size_t unit, std::set<size_t> units) const {
    units.insert(unit);
    for (const size_t n : nodes_of(chosen_[unit])) {
      for (const std::string& output : graph_.nodes[n].outputs) {
        if (is_read_outside(output, units)) return false;
      }
    }
    return true;
  }

  const compile::Compiled& compiled_;
  std::string chip_;  // its short name
  const Graph& graph_;
  std::vector<size_t> chosen_;  // candidates; a unit is a place in this list
  std::set<std::string> outputs_;
  std::vector<bool> taken_;  // units, by a chain
  std::vector<std::optional<bool>> writable_;
  std::map<std::string, size_t> maker_;
  std::map<std::string, std::set<size_t>> readers_;
};

}  // namespace

Result<std::vector<WorthyChain>> find_worthy_chains(const compile::Compiled& compiled) {
  OPKIT_TRY(const SocMatch soc, find_soc(compiled.model().soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*soc.spec));
  const analyze::Gains gains(compiled, rates);
  std::vector<WorthyChain> worthy;
  for (auto& [chain, region] : Finder(compiled, soc.spec->short_name).run()) {
    const analyze::Gain gain = gains.of(chain);
    if (gain.saved_traffic() < kLeastSaved) continue;
    worthy.push_back({std::move(chain), gain, std::move(region)});
  }
  return worthy;
}

}  // namespace opkit::generate
