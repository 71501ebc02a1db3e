#include "opkit/rewrite/match/match.h"

#include <map>
#include <set>

#include "opkit/rewrite/match/complete.h"
#include "opkit/rewrite/match/pattern.h"
#include "opkit/rewrite/match/search.h"

namespace opkit::match {
namespace {

// Collects what the forms of one contract come to.
class Collector {
 public:
  Collector(const GraphIndex& index, const OpContract& contract)
      : index_(index), contract_(contract) {}

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
    const auto anchor = anchor_of(index_, pattern);
    if (!anchor) return;
    for (const size_t node : index_.nodes_of(pattern.nodes[*anchor].op)) {
      auto attempt = search(index_, pattern, *anchor, node, [&](const MatchState& state) {
        std::vector<Match> matches;
        auto refusal = complete(index_, pattern, state, matches);
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

  const GraphIndex& index_;
  const OpContract& contract_;
  Found found_;
  std::set<size_t> taken_;
  std::set<std::pair<std::vector<size_t>, size_t>> known_;
  std::map<size_t, Attempt> attempts_;
};

}  // namespace

Found Matcher::find(const OpContract& contract) const { return Collector(*this, contract).run(); }

}  // namespace opkit::match
