#include "opkit/atc/compile/single_nodes.h"

#include <numeric>

namespace opkit::compile {
namespace {

Candidate on_the_host(size_t node) {
  Candidate candidate;
  candidate.taker = Taker::kHost;
  candidate.nodes = {node};
  return candidate;
}

// Finds for each node the candidate that takes it alone; null: there is none.
std::vector<const Candidate*> cheapest(const Compiled& compiled) {
  std::vector<const Candidate*> best(compiled.graph.nodes.size());
  for (const Candidate& candidate : compiled.candidates.all) {
    if (candidate.nodes.size() != 1) continue;
    const Candidate*& known = best[candidate.nodes[0]];
    if (known == nullptr || candidate.nanoseconds < known->nanoseconds) known = &candidate;
  }
  return best;
}

}  // namespace

Result<model::OfflineModel> single_node_model(const Compiled& compiled) {
  std::vector<Candidate> candidates;
  const std::vector<const Candidate*> best = cheapest(compiled);
  for (size_t n = 0; n < best.size(); ++n)
    candidates.push_back(best[n] != nullptr ? *best[n] : on_the_host(n));
  std::vector<size_t> all(candidates.size());
  std::iota(all.begin(), all.end(), size_t{0});
  OPKIT_TRY(Schedule made, schedule(compiled.graph, candidates, all,
                                    [](const Candidate&, const InPlace&) { return false; }));
  made.model.name = compiled.model().name;
  made.model.soc = compiled.model().soc;
  made.model.opset = compiled.model().opset;
  return std::move(made.model);
}

}  // namespace opkit::compile
