#include "opkit/fusion/analyze/chain.h"

#include <algorithm>
#include <set>

#include "opkit/fusion/analyze/reach.h"
#include "opkit/rewrite/cover/convex.h"

namespace opkit::analyze {
namespace {

using compile::Taker;
using graph::Graph;

uint64_t bytes_of(const Graph& graph, const std::string& name) {
  const graph::ValueInfo& value = graph.values.at(name);
  return opkit::bytes_of(value.dtype, static_cast<uint64_t>(value.shape->elements()));
}

// Dims but the last one, or all.
std::vector<int64_t> space_of(const Graph& graph, const std::string& value, bool rows) {
  std::vector<int64_t> dims = graph.values.at(value).shape->dims();
  if (rows && !dims.empty()) dims.pop_back();
  return dims;
}

class Finder {
 public:
  explicit Finder(const compile::Compiled& compiled)
      : compiled_(compiled),
        graph_(compiled.graph),
        readers_(compiled.graph),
        convexity_(graph_.nodes.size(), compiled.candidates.edges) {
    for (const size_t c : compiled.cover.chosen) {
      const std::vector<size_t>& nodes = compiled.candidates.all[c].nodes;
      for (const size_t n : nodes) {
        for (const std::string& output : graph_.nodes[n].outputs) maker_[output] = groups_.size();
      }
      groups_.push_back({{c}, nodes, reach_of(graph_, nodes), groups_.size()});
    }
  }

  std::vector<Chain> run() {
    for (size_t unit = 0; unit < groups_.size(); ++unit) join(unit);
    std::vector<Chain> chains;
    for (const Group& group : groups_) {
      if (group.units.size() < 2) continue;
      for (Chain& part : parts_of(group)) chains.push_back(std::move(part));
    }
    std::sort(chains.begin(), chains.end(),
              [](const Chain& a, const Chain& b) { return a.nodes[0] < b.nodes[0]; });
    return chains;
  }

 private:
  struct Group {
    std::vector<size_t> units, nodes;
    Reach reach;
    size_t joined;  // another group that holds its units now; itself: none
  };
  struct Link {
    std::string value;
    uint64_t saved;
  };

  Chain chain_of(const std::vector<size_t>& units) const {
    Chain chain{units, {}};
    for (const size_t c : units) {
      const std::vector<size_t>& nodes = compiled_.candidates.all[c].nodes;
      chain.nodes.insert(chain.nodes.end(), nodes.begin(), nodes.end());
    }
    std::sort(chain.nodes.begin(), chain.nodes.end());
    return chain;
  }

  // Cuts a group of several results where the units up to there have one; whole when nothing of two
  // units would be left.
  std::vector<Chain> parts_of(const Group& group) const {
    std::vector<size_t> units = group.units, part;
    std::sort(units.begin(), units.end(), [&](size_t a, size_t b) {
      return compiled_.candidates.all[a].nodes[0] < compiled_.candidates.all[b].nodes[0];
    });
    const std::vector<std::string> leaving = readers_.traffic_of(group.nodes).written;
    std::vector<Chain> parts;
    for (const size_t c : units) {
      part.push_back(c);
      Chain chain = chain_of(part);
      const std::vector<std::string> written = readers_.traffic_of(chain.nodes).written;
      const bool ends =
          written.size() == 1 && std::count(leaving.begin(), leaving.end(), written[0]);
      if (!ends) continue;
      if (part.size() > 1) parts.push_back(std::move(chain));
      part.clear();
    }
    if (parts.empty()) parts.push_back(chain_of(units));
    return parts;
  }

  size_t root(size_t group) const {
    while (groups_[group].joined != group) group = groups_[group].joined;
    return group;
  }

  bool is_view(size_t unit) const {
    return compiled_.candidates.all[compiled_.cover.chosen[unit]].taker == Taker::kView;
  }

  // Values that the unit reads and another unit makes, the most profitable first.
  std::vector<Link> links_of(size_t unit) const {
    std::vector<Link> links;
    const std::vector<size_t>& nodes = groups_[unit].nodes;
    for (const std::string& value : readers_.traffic_of(nodes).read) {
      if (maker_.count(value) == 0) continue;
      std::vector<size_t> both = groups_[root(maker_.at(value))].nodes;
      both.insert(both.end(), nodes.begin(), nodes.end());
      std::sort(both.begin(), both.end());
      const bool kept = readers_.is_read_outside(value, both);
      links.push_back({value, bytes_of(graph_, value) * (kept ? 1 : 2)});
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const Link& a, const Link& b) { return a.saved > b.saved; });
    return links;
  }

  void join(size_t unit) {
    if (is_view(unit) || groups_[unit].reach == Reach::kWhole) return;
    const std::vector<Link> links = links_of(unit);
    for (const Link& link : links) {
      const size_t own = root(unit), other = root(maker_.at(link.value));
      if (own != other && fits(unit, own, other, link.value)) unite(own, other);
    }
  }

  bool fits(size_t unit, size_t own, size_t other, const std::string& value) const {
    if (is_view(other)) return false;
    const Reach ours = groups_[own].reach, theirs = groups_[other].reach;
    const bool whole = ours == Reach::kWhole || theirs == Reach::kWhole;
    if (ours == Reach::kWhole && theirs == Reach::kWhole) return false;
    const bool rows = ours == Reach::kRow || theirs == Reach::kRow;
    if (whole && (rows || has_rows(own) || has_rows(other))) return false;
    const size_t last = compiled_.candidates.all[compiled_.cover.chosen[unit]].nodes.back();
    if (space_of(graph_, value, rows) != space_of(graph_, graph_.nodes[last].outputs[0], rows))
      return false;
    const std::vector<size_t> both = merged(own, other);
    return begins_with_whole(both) && convexity_.is_convex(both);
  }

  // The node that needs more than rows, if there is one, reads nothing that the others make.
  bool begins_with_whole(const std::vector<size_t>& nodes) const {
    std::set<std::string> made, read;
    for (const size_t n : nodes) {
      const graph::Node& node = graph_.nodes[n];
      made.insert(node.outputs.begin(), node.outputs.end());
      if (reach_of(graph_, node) == Reach::kWhole)
        read.insert(node.inputs.begin(), node.inputs.end());
    }
    return std::none_of(read.begin(), read.end(),
                        [&](const std::string& value) { return made.count(value) > 0; });
  }

  // Tells whether a group that begins with a whole unit got rows behind it: it may not.
  bool has_rows(size_t group) const {
    return std::any_of(groups_[group].nodes.begin(), groups_[group].nodes.end(),
                       [&](size_t n) { return reach_of(graph_, graph_.nodes[n]) == Reach::kRow; });
  }

  std::vector<size_t> merged(size_t a, size_t b) const {
    std::vector<size_t> nodes = groups_[a].nodes;
    nodes.insert(nodes.end(), groups_[b].nodes.begin(), groups_[b].nodes.end());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  void unite(size_t own, size_t other) {
    Group& to = groups_[other];
    to.nodes = merged(own, other);
    to.units.insert(to.units.end(), groups_[own].units.begin(), groups_[own].units.end());
    to.reach = reach_of(graph_, to.nodes);
    groups_[own].joined = other;
    groups_[own].units.clear();
  }

  const compile::Compiled& compiled_;
  const Graph& graph_;
  const ValueReaders readers_;
  cover::Convexity convexity_;
  std::vector<Group> groups_;            // one for each unit at first
  std::map<std::string, size_t> maker_;  // the unit that makes a value
};

}  // namespace

ValueReaders::ValueReaders(const Graph& graph)
    : graph_(graph), outputs_(graph.outputs.begin(), graph.outputs.end()) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& input : graph.nodes[n].inputs) readers_[input].push_back(n);
  }
}

bool ValueReaders::is_read_outside(const std::string& value,
                                   const std::vector<size_t>& nodes) const {
  if (outputs_.count(value) > 0) return true;
  const auto readers = readers_.find(value);
  return readers != readers_.end() &&
         std::any_of(readers->second.begin(), readers->second.end(), [&](size_t reader) {
           return !std::binary_search(nodes.begin(), nodes.end(), reader);
         });
}

NodeTraffic ValueReaders::traffic_of(const std::vector<size_t>& nodes) const {
  NodeTraffic traffic;
  std::set<std::string> made, read;
  for (const size_t n : nodes)
    made.insert(graph_.nodes[n].outputs.begin(), graph_.nodes[n].outputs.end());
  for (const size_t n : nodes) {
    for (const std::string& input : graph_.nodes[n].inputs) {
      if (input.empty() || made.count(input) > 0 || !read.insert(input).second) continue;
      traffic.read.push_back(input);
      traffic.read_bytes += bytes_of(graph_, input);
    }
    for (const std::string& output : graph_.nodes[n].outputs) {
      if (output.empty() || !is_read_outside(output, nodes)) continue;
      traffic.written.push_back(output);
      traffic.written_bytes += bytes_of(graph_, output);
    }
  }
  return traffic;
}

std::vector<Chain> find_chains(const compile::Compiled& compiled) { return Finder(compiled).run(); }

}  // namespace opkit::analyze
