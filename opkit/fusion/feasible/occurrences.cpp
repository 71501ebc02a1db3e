// How often a pattern of nodes stands in a graph.
#include <algorithm>
#include <map>
#include <set>

#include "opkit/fusion/feasible/feasible.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

// How a node of the pattern hangs on one in front of it.
struct Link {
  size_t other = 0;    // place in the pattern
  size_t result = 0;   // numbers the maker's result
  size_t operand = 0;  // numbers the reader's operand
  bool reads = true;   // this node reads the other one
};

class Searcher {
 public:
  Searcher(const Graph& graph, std::vector<size_t> nodes)
      : graph_(graph), nodes_(std::move(nodes)) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      for (const std::string& output : graph.nodes[n].outputs) maker_[output] = n;
      for (const std::string& input : graph.nodes[n].inputs) readers_[input].push_back(n);
    }
    order();
  }

  size_t run() {
    size_t times = 0;
    std::set<size_t> used;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const std::vector<size_t> place = place_at(n, used);
      if (place.empty()) continue;
      used.insert(place.begin(), place.end());
      ++times;
    }
    return times;
  }

 private:
  // Puts every node behind one that it is linked with.
  void order() {
    std::vector<size_t> left(nodes_.begin() + 1, nodes_.end());
    ordered_ = {nodes_[0]};
    links_ = {{}};
    while (!left.empty()) {
      auto next = left.begin();
      std::vector<Link> links;
      for (; next != left.end(); ++next) {
        links = links_with(*next);
        if (!links.empty()) break;
      }
      if (next == left.end()) return;  // a part that hangs on nothing is not looked for
      ordered_.push_back(*next);
      links_.push_back(std::move(links));
      left.erase(next);
    }
    connected_ = true;
  }

  std::vector<Link> links_with(size_t n) const {
    std::vector<Link> links;
    for (size_t o = 0; o < ordered_.size(); ++o) {
      add_links(graph_.nodes[ordered_[o]], graph_.nodes[n], o, true, links);
      add_links(graph_.nodes[n], graph_.nodes[ordered_[o]], o, false, links);
    }
    return links;
  }

  static void add_links(const Node& maker, const Node& reader, size_t other, bool reads,
                        std::vector<Link>& links) {
    for (size_t r = 0; r < maker.outputs.size(); ++r) {
      for (size_t i = 0; i < reader.inputs.size(); ++i) {
        if (!maker.outputs[r].empty() && maker.outputs[r] == reader.inputs[i])
          links.push_back({other, r, i, reads});
      }
    }
  }

  bool alike(size_t pattern, size_t n) const {
    const Node &a = graph_.nodes[pattern], &b = graph_.nodes[n];
    return a.op_type == b.op_type && a.inputs.size() == b.inputs.size() &&
           a.outputs.size() == b.outputs.size();
  }

  std::vector<size_t> candidates(const Link& link, size_t other) const {
    const Node& node = graph_.nodes[other];
    if (!link.reads) {
      if (link.operand >= node.inputs.size()) return {};
      const auto maker = maker_.find(node.inputs[link.operand]);
      return maker == maker_.end() ? std::vector<size_t>{} : std::vector<size_t>{maker->second};
    }
    if (link.result >= node.outputs.size()) return {};
    const auto readers = readers_.find(node.outputs[link.result]);
    return readers == readers_.end() ? std::vector<size_t>{} : readers->second;
  }

  bool holds(const Link& link, const std::vector<size_t>& place, size_t n) const {
    const Node& maker = graph_.nodes[link.reads ? place[link.other] : n];
    const Node& reader = graph_.nodes[link.reads ? n : place[link.other]];
    return link.result < maker.outputs.size() && link.operand < reader.inputs.size() &&
           maker.outputs[link.result] == reader.inputs[link.operand];
  }

  std::vector<size_t> place_at(size_t first, const std::set<size_t>& used) const {
    if (!connected_ && nodes_.size() > 1) return {};
    if (used.count(first) > 0 || !alike(ordered_[0], first)) return {};
    std::vector<size_t> place = {first};
    for (size_t p = 1; p < ordered_.size(); ++p) {
      const std::vector<Link>& links = links_[p];
      const std::vector<size_t> all = candidates(links[0], place[links[0].other]);
      const auto found = std::find_if(all.begin(), all.end(), [&](size_t n) {
        return used.count(n) == 0 && alike(ordered_[p], n) &&
               std::find(place.begin(), place.end(), n) == place.end() &&
               std::all_of(links.begin(), links.end(),
                           [&](const Link& link) { return holds(link, place, n); });
      });
      if (found == all.end()) return {};
      place.push_back(*found);
    }
    return place;
  }

  const Graph& graph_;
  std::vector<size_t> nodes_, ordered_;
  std::vector<std::vector<Link>> links_;
  std::map<std::string, size_t> maker_;
  std::map<std::string, std::vector<size_t>> readers_;
  bool connected_ = false;
};

}  // namespace

size_t times_in(const Graph& model, const std::vector<size_t>& nodes) {
  return nodes.empty() ? 0 : Searcher(model, nodes).run();
}

}  // namespace opkit::feasible
