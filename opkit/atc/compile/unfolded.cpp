#include "opkit/atc/compile/unfolded.h"

#include <algorithm>
#include <set>

namespace opkit::compile {

using graph::Graph;
using match::Found;
using match::Match;
using match::Matcher;

namespace {

std::set<std::string> values_of(const std::vector<std::vector<std::string>>& ports) {
  std::set<std::string> values;
  for (const auto& port : ports) values.insert(port.begin(), port.end());
  values.erase("");
  return values;
}

bool inside(const Match& match, size_t node) {
  return std::binary_search(match.nodes.begin(), match.nodes.end(), node);
}

// Tells whether the covered graph holds this constant, or can take it in.
bool may_share(const Graph& covered, const Graph& unfolded, const std::string& name) {
  const auto known = covered.values.find(name);
  return known == covered.values.end() ||
         known->second.constant == unfolded.values.at(name).constant;
}

}  // namespace

Found Unfolded::find(const OpContract& contract) const {
  const Found there = matcher_.find(contract);
  Found found;
  for (const Match& match : there.matches) {
    if (auto left = translated(match)) found.matches.push_back(std::move(*left));
  }
  if (!has_folded_operators(contract)) return found;
  for (match::NearMiss miss : there.near_misses) {
    // What was folded away stands in what reads it.
    std::vector<size_t> left = left_of({miss.node});
    for (size_t n = miss.node; left.empty(); left = left_of({n})) {
      const auto& readers = matcher_.readers(graph().nodes[n].outputs[0]);
      if (readers.empty()) break;
      n = readers.front();
    }
    if (left.empty()) continue;
    miss.node = left[0];
    found.near_misses.push_back(std::move(miss));
  }
  return found;
}

// The covered graph, which lacks them, cannot say why the op declines.
bool Unfolded::has_folded_operators(const OpContract& contract) const {
  return std::any_of(
      contract.reference.begin(), contract.reference.end(), [&](const ReferenceNode& node) {
        return covered_.nodes_of(node.op).empty() && !matcher_.nodes_of(node.op).empty();
      });
}

// Returns the nodes of the covered graph that define what these define, ascending.
std::vector<size_t> Unfolded::left_of(const std::vector<size_t>& nodes) const {
  std::set<size_t> left;
  for (const size_t n : nodes) {
    for (const std::string& output : graph().nodes[n].outputs) {
      const size_t node = covered_.definition(output);
      if (node < covered_.graph().nodes.size()) left.insert(node);
    }
  }
  return {left.begin(), left.end()};
}

std::optional<Match> Unfolded::translated(Match match) const {
  const size_t before = match.nodes.size();
  match.nodes = left_of(match.nodes);
  const bool folded = !match.nodes.empty() && match.nodes.size() < before;
  if (folded && has_its_inputs(match) && is_closed(match) && keeps_to_itself(match)) return match;
  return std::nullopt;
}

bool Unfolded::has_its_inputs(const Match& match) const {
  const Graph& covered = covered_.graph();
  for (const std::string& name : values_of(match.inputs)) {
    if (graph().constant(name) != nullptr) {
      if (!may_share(covered, graph(), name)) return false;
      continue;
    }
    const size_t node = covered_.definition(name);
    if ((node == covered.nodes.size() && !covered_.is_input(name)) || inside(match, node))
      return false;
  }
  return true;
}

// Tells whether what the nodes read is the op's to read, a constant, or theirs.
bool Unfolded::is_closed(const Match& match) const {
  const Graph& covered = covered_.graph();
  const std::set<std::string> given = values_of(match.inputs);
  for (const size_t n : match.nodes) {
    for (const std::string& name : covered.nodes[n].inputs) {
      const bool fine = name.empty() || given.count(name) > 0 ||
                        covered.constant(name) != nullptr ||
                        inside(match, covered_.definition(name));
      if (!fine) return false;
    }
  }
  for (const std::string& name : values_of(match.outputs)) {
    if (!inside(match, covered_.definition(name))) return false;
  }
  return true;
}

bool Unfolded::keeps_to_itself(const Match& match) const {
  const Graph& covered = covered_.graph();
  const std::set<std::string> stored = values_of(match.outputs);
  for (const size_t n : match.nodes) {
    for (const std::string& name : covered.nodes[n].outputs) {
      if (name.empty() || stored.count(name) > 0) continue;
      const auto& readers = covered_.readers(name);
      const bool alone = std::all_of(readers.begin(), readers.end(),
                                     [&](size_t reader) { return inside(match, reader); });
      if (!alone || covered_.is_output(name)) return false;
    }
  }
  return covered_.between(match.nodes) == covered.nodes.size();
}

}  // namespace opkit::compile
