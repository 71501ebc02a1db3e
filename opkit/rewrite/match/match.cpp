#include "opkit/rewrite/match/match.h"

#include <algorithm>
#include <set>

#include "opkit/rewrite/match/complete.h"
#include "opkit/rewrite/match/search.h"

namespace opkit::match {
namespace {

const std::vector<size_t> kNobody;

const std::vector<size_t>& listed(const std::map<std::string, std::vector<size_t>>& all,
                                  const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? kNobody : found->second;
}

// Collects what the forms of one contract come to.
class Collector {
 public:
  Collector(const Matcher& matcher, const OpContract& contract)
      : matcher_(matcher), contract_(contract) {}

  Found run() {
    for (const Pattern& pattern : patterns_of(contract_)) look_for(pattern);
    for (auto& [node, attempt] : attempts_) {
      if (taken_.count(node) == 0)
        found_.near_misses.push_back(
            {&contract_, node, attempt.matched, std::move(attempt.refusal)});
    }
    return std::move(found_);
  }

 private:
  void look_for(const Pattern& pattern) {
    const auto anchor = anchor_of(matcher_, pattern);
    if (!anchor) return;
    for (const size_t node : matcher_.nodes_of(pattern.nodes[*anchor].op)) {
      auto attempt = search(matcher_, pattern, *anchor, node, [&](const State& state) {
        std::vector<Match> matches;
        auto refusal = complete(matcher_, pattern, state, matches);
        for (Match& match : matches) keep(std::move(match));
        return refusal;
      });
      if (attempt) note(node, std::move(*attempt));
    }
  }

  void keep(Match match) {
    taken_.insert(match.nodes.begin(), match.nodes.end());
    if (known_.emplace(match.nodes, match.column).second)
      found_.matches.push_back(std::move(match));
  }

  void note(size_t node, Attempt attempt) {
    const auto [place, fresh] = attempts_.emplace(node, attempt);
    if (!fresh && place->second.matched < attempt.matched) place->second = std::move(attempt);
  }

  const Matcher& matcher_;
  const OpContract& contract_;
  Found found_;
  std::set<size_t> taken_;
  std::set<std::pair<std::vector<size_t>, size_t>> known_;
  std::map<size_t, Attempt> attempts_;
};

}  // namespace

Matcher::Matcher(const graph::Graph& graph) : graph_(graph) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    by_operator_[graph.nodes[n].op_type].push_back(n);
    for (const std::string& output : graph.nodes[n].outputs) {
      if (!output.empty()) definition_[output] = n;
    }
    for (const std::string& input : graph.nodes[n].inputs) {
      std::vector<size_t>& readers = readers_[input];
      if (!input.empty() && (readers.empty() || readers.back() != n)) readers.push_back(n);
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) {
      for (const size_t reader : readers(output)) edges_.emplace_back(n, reader);
    }
  }
}

const std::vector<size_t>& Matcher::readers(const std::string& value) const {
  return value.empty() ? kNobody : listed(readers_, value);
}

size_t Matcher::definition(const std::string& value) const {
  const auto found = definition_.find(value);
  return found == definition_.end() ? graph_.nodes.size() : found->second;
}

bool Matcher::is_output(const std::string& value) const {
  return std::find(graph_.outputs.begin(), graph_.outputs.end(), value) != graph_.outputs.end();
}

const std::vector<size_t>& Matcher::nodes_of(const std::string& op_type) const {
  return listed(by_operator_, op_type);
}

Found Matcher::find(const OpContract& contract) const { return Collector(*this, contract).run(); }

}  // namespace opkit::match
