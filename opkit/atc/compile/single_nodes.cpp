#include "opkit/atc/compile/single_nodes.h"

#include <numeric>

#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/make_schedule.h"

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

namespace {

Status add_single_bodies(const Compiled& compiled, Schedule& made) {
  std::vector<model::OfflineModel> models;
  std::vector<size_t> nodes;
  for (const CompiledBody& body : compiled.bodies) {
    OPKIT_TRY(model::OfflineModel one, single_node_model(*body.compiled));
    models.push_back(std::move(one));
    nodes.push_back(body.node);
  }
  join_bodies(std::move(models), nodes, made);
  return {};
}

}  // namespace

Result<model::OfflineModel> single_node_model(const Compiled& compiled) {
  std::vector<Candidate> candidates;
  const std::vector<const Candidate*> best = cheapest(compiled);
  for (size_t n = 0; n < best.size(); ++n)
    candidates.push_back(best[n] != nullptr ? *best[n] : on_the_host(n));
  std::vector<size_t> all(candidates.size());
  std::iota(all.begin(), all.end(), size_t{0});
  OPKIT_TRY(Schedule made, make_schedule(compiled.graph, candidates, all,
                                         [](const Candidate&, const InPlace&) { return false; }));
  OPKIT_CHECK(add_single_bodies(compiled, made));
  made.model.name = compiled.model().name;
  made.model.soc = compiled.model().soc;
  made.model.opset = compiled.model().opset;
  return std::move(made.model);
}

}  // namespace opkit::compile
