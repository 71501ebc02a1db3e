#include "opkit/atc/compile/rephrase_nodes.h"

#include <algorithm>
#include <set>

#include "opkit/atc/compile/lift_heads.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrase.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using Changes = std::map<std::string, size_t>;

// Returns the first results of the nodes that only the host takes.
std::set<std::string> left_to_the_host(const Graph& graph, const Candidates& candidates) {
  std::vector<bool> taken(graph.nodes.size());
  for (const Candidate& candidate : candidates.all) {
    if (candidate.taker == Taker::kHost) continue;
    for (const size_t n : candidate.nodes) taken[n] = true;
  }
  std::set<std::string> left;
  for (size_t n = 0; n < taken.size(); ++n) {
    if (!taken[n]) left.insert(passes::result_of(graph.nodes[n]));
  }
  return left;
}

// A graph with some of its nodes rephrased.
struct Attempt {
  Graph graph;
  Changes changes;
  std::map<std::string, std::vector<std::string>> parts;
};

Result<Attempt> attempt(const Graph& graph, const std::set<std::string>& results) {
  Attempt made{graph, {}, {}};
  OPKIT_TRY(passes::Rephrased rephrased, passes::rephrase(made.graph, results));
  made.changes = std::move(rephrased.changes);
  made.parts = std::move(rephrased.parts);
  if (!made.parts.empty()) OPKIT_CHECK(canonicalize_again(made.graph, made.changes));
  return made;
}

// Returns the rephrased nodes whose parts all have takers.
std::set<std::string> successes(const Attempt& made, const std::set<std::string>& left) {
  std::set<std::string> found;
  for (const auto& [result, parts] : made.parts) {
    const bool all = std::none_of(parts.begin(), parts.end(),
                                  [&](const std::string& part) { return left.count(part) > 0; });
    if (all) found.insert(result);
  }
  return found;
}

// Who declined a part that nobody takes, by the first result of the node that was rephrased.
void explain_failures(const Attempt& made, const Candidates& tried,
                      const std::set<std::string>& left, CandidateOptions& options) {
  // Holds for each part the first result of the node that was rephrased.
  std::map<std::string, std::string> origin;
  for (const auto& [result, parts] : made.parts) {
    for (const std::string& part : parts) origin.emplace(part, result);
  }
  for (const Declined& declined : tried.declined) {
    const std::string& part = passes::result_of(made.graph.nodes[declined.node]);
    const auto found = left.count(part) > 0 ? origin.find(part) : origin.end();
    if (found != origin.end())
      options.other_words.emplace(found->second, std::pair(declined.op, declined.refusal));
  }
}

// Says in `last` why words that were tried for a node have no takers.
Result<Candidates> find_in_words(Graph& graph, const OtherForms& forms, const InstalledOps& ops,
                                 CandidateOptions& last, Changes& changes) {
  CandidateOptions lenient = last;
  lenient.fallback = true;
  OPKIT_TRY(Candidates found, find_candidates(graph, forms, ops, lenient));
  const std::set<std::string> all_left = left_to_the_host(graph, found);
  if (all_left.empty() && last.fallback) return found;
  OPKIT_TRY(Attempt made, attempt(graph, all_left));
  if (!made.parts.empty()) {
    OPKIT_TRY(const Candidates tried, find_candidates(made.graph, forms, ops, lenient));
    const std::set<std::string> left = left_to_the_host(made.graph, tried);
    const std::set<std::string> right = successes(made, left);
    explain_failures(made, tried, left, last);
    if (right.size() < made.parts.size()) {
      OPKIT_TRY(made, attempt(graph, right));
    }
  }
  if (made.parts.empty() && last.other_words.empty() && last.fallback) return found;
  graph = std::move(made.graph);
  for (const auto& [name, places] : made.changes) changes[name] += places;
  return find_candidates(graph, forms, ops, last);
}

}  // namespace

Result<Candidates> find_or_rephrase(Graph& graph, const OtherForms& forms, const InstalledOps& ops,
                                    const CandidateOptions& options, Changes& changes) {
  CandidateOptions last = options;
  auto found = find_in_words(graph, forms, ops, last, changes);
  if (!found.ok()) return found;
  if (!options.fused || !options.lifts) return found;
  OPKIT_TRY(const bool lifted, lift_heads(graph, ops, changes));
  return lifted ? find_candidates(graph, forms, ops, last) : std::move(found);
}

}  // namespace opkit::compile
