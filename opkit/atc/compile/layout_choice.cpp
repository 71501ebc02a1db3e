#include "opkit/atc/compile/layout_choice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace opkit::compile {
namespace {

constexpr size_t kMostOpen = 4;  // values of one candidate: three states each

// What the op that gives a value, and each of its readers, agree on.
enum class State : uint8_t {
  kDense,   // it is given dense; who wants the format turns it
  kBoth,    // it is given in the format, and turned to dense for others
  kFormat,  // it is given in the format, and nobody wants it dense
};
constexpr State kStates[] = {State::kDense, State::kBoth, State::kFormat};

// A value whose format is open. Two nodes of the problem stand for each of its readers: the giver
// takes none, the first or both of them, the reader the others, so that both are in one state.
struct Open {
  Format format = Format::kND;
  size_t giver = 0;
  std::vector<size_t> readers;                        // nodes
  std::vector<std::pair<size_t, size_t>> agreements;  // pair the problem's nodes of each reader
};

class Builder {
 public:
  Builder(const std::vector<LayoutNode>& nodes, const std::vector<std::string>& outputs,
          const std::vector<LayoutCandidate>& candidates)
      : nodes_(nodes), outputs_(outputs.begin(), outputs.end()), candidates_(candidates) {}

  LayoutProblem run(const std::vector<std::pair<size_t, size_t>>& edges) {
    find_open_values();
    number_nodes();
    for (const auto& [from, to] : edges)
      made_.problem.edges.emplace_back(number_[from], number_[to]);
    for (size_t c = 0; c < candidates_.size(); ++c) add_variants(c);
    made_.values = open_.size();
    return std::move(made_);
  }

 private:
  using Part = std::pair<const std::string, Open>;

  void find_open_values() {
    std::map<std::string, std::set<Format>> given;
    for (const LayoutCandidate& candidate : candidates_) {
      for (const StoredValue& one : candidate.gives) {
        if (one.turn > 0) given[one.value].insert(one.format);
      }
    }
    for (const LayoutCandidate& candidate : candidates_) {
      for (const StoredValue& one : candidate.reads) {
        if (one.turn > 0 && given[one.value].count(one.format) > 0)
          open_.emplace(one.value, Open{one.format, 0, {}, {}});
      }
    }
    at_node_.resize(nodes_.size());
    for (size_t n = 0; n < nodes_.size(); ++n) {
      for (const std::string& value : nodes_[n].gives)
        with(n, value, [&](Open& o) { o.giver = n; });
      const std::set<std::string> reads(nodes_[n].reads.begin(), nodes_[n].reads.end());
      for (const std::string& value : reads)
        with(n, value, [&](Open& o) { o.readers.push_back(n); });
    }
    for (const LayoutCandidate& candidate : candidates_) close_beyond_the_limit(candidate);
  }

  template <typename Act>
  void with(size_t node, const std::string& value, Act act) {
    const auto found = open_.find(value);
    if (found == open_.end()) return;
    act(found->second);
    at_node_[node].push_back(value);
  }

  void close_beyond_the_limit(const LayoutCandidate& candidate) {
    size_t count = 0;
    for (Part* part : parts_of(candidate)) {
      if (!is_inside(candidate, part->second) && ++count > kMostOpen)
        open_.erase(open_.find(part->first));
    }
  }

  // Tells whether no other candidate meets the value beside this one: it has one state then.
  static bool is_inside(const LayoutCandidate& candidate, const Open& open) {
    return holds(candidate, open.giver) &&
           std::all_of(open.readers.begin(), open.readers.end(),
                       [&](size_t reader) { return holds(candidate, reader); });
  }

  // A value's agreements follow the node that gives it.
  void number_nodes() {
    std::map<size_t, std::vector<Open*>> by_giver;
    for (auto& [value, open] : open_) by_giver[open.giver].push_back(&open);
    size_t next = 0;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      number_.push_back(next++);
      for (Open* open : by_giver[n]) {
        for (size_t r = 0; r < open->readers.size(); ++r) {
          open->agreements.emplace_back(next, next + 1);
          next += 2;
        }
      }
    }
    made_.problem.nodes = next;
  }

  static bool holds(const LayoutCandidate& candidate, size_t node) {
    return std::binary_search(candidate.nodes.begin(), candidate.nodes.end(), node);
  }

  // Returns the open values that the candidate's nodes give or read, by name.
  std::vector<Part*> parts_of(const LayoutCandidate& candidate) {
    std::set<std::string> names;
    for (const size_t n : candidate.nodes) {
      if (n < at_node_.size()) names.insert(at_node_[n].begin(), at_node_[n].end());
    }
    std::vector<Part*> parts;
    for (const std::string& name : names) {
      const auto found = open_.find(name);
      if (found != open_.end()) parts.push_back(&*found);
    }
    return parts;
  }

  // What turning the value costs the candidate on one side, in the open format and otherwise.
  struct Turns {
    uint64_t format = 0;
    bool other = false;  // it is wanted, or given, in another form
  };
  static Turns turns_of(const std::vector<StoredValue>& side, const Part& part) {
    Turns turns;
    bool known = false;
    for (const StoredValue& one : side) {
      if (one.value != part.first) continue;
      known = true;
      const bool same = one.turn > 0 && one.format == part.second.format;
      same ? turns.format += one.turn : turns.other = true;
    }
    turns.other = turns.other || !known;
    return turns;
  }

  // Returns what the candidate saves in that state; nothing: it cannot be in it.
  std::optional<uint64_t> saved(const LayoutCandidate& candidate, const Part& part, State state) {
    if (holds(candidate, part.second.giver)) {
      const Turns gives = turns_of(candidate.gives, part);
      if (gives.other) return state == State::kDense ? std::optional<uint64_t>(0) : std::nullopt;
      if (state == State::kDense) return std::nullopt;
      if (state == State::kBoth) return 0;
      if (outputs_.count(part.first) > 0) return std::nullopt;
      return gives.format;
    }
    const Turns reads = turns_of(candidate.reads, part);
    if (state == State::kDense) return 0;
    if (state == State::kFormat && reads.other) return std::nullopt;
    return reads.format;
  }

  void add_variants(size_t c) {
    cover::CoverCandidate base;
    for (const size_t n : candidates_[c].nodes) base.nodes.push_back(number_[n]);
    base.cost = candidates_[c].cost;
    add_states(c, parts_of(candidates_[c]), 0, base, 0);
  }

  // One variant for each combination of states.
  void add_states(size_t c, const std::vector<Part*>& parts, size_t p, cover::CoverCandidate made,
                  uint64_t saved_before) {
    if (p == parts.size()) {
      std::sort(made.nodes.begin(), made.nodes.end());
      made_.problem.candidates.push_back(std::move(made));
      made_.variants.push_back({c, saved_before});
      return;
    }
    for (const State state : kStates) {
      const auto saves = saved(candidates_[c], *parts[p], state);
      if (!saves) continue;
      cover::CoverCandidate next = made;
      next.cost -= *saves;
      agree(candidates_[c], parts[p]->second, state, next.nodes);
      add_states(c, parts, p + 1, std::move(next), saved_before + *saves);
    }
  }

  static void agree(const LayoutCandidate& candidate, const Open& open, State state,
                    std::vector<size_t>& nodes) {
    const bool gives = holds(candidate, open.giver);
    for (size_t r = 0; r < open.readers.size(); ++r) {
      const bool reads = holds(candidate, open.readers[r]);
      const auto [first, second] = open.agreements[r];
      const bool giver_takes_first = state != State::kDense;
      const bool giver_takes_second = state == State::kFormat;
      if ((gives && giver_takes_first) || (reads && !giver_takes_first) || (gives && reads))
        nodes.push_back(first);
      if ((gives && giver_takes_second) || (reads && !giver_takes_second) || (gives && reads))
        nodes.push_back(second);
    }
  }

  const std::vector<LayoutNode>& nodes_;
  const std::set<std::string> outputs_;
  const std::vector<LayoutCandidate>& candidates_;
  std::map<std::string, Open> open_;
  std::vector<std::vector<std::string>> at_node_;  // values that were open at first
  std::vector<size_t> number_;                     // numbers each node in the problem
  LayoutProblem made_;
};

}  // namespace

LayoutProblem layout_problem(const std::vector<LayoutNode>& nodes,
                             const std::vector<std::pair<size_t, size_t>>& edges,
                             const std::vector<std::string>& outputs,
                             const std::vector<LayoutCandidate>& candidates) {
  return Builder(nodes, outputs, candidates).run(edges);
}

}  // namespace opkit::compile
