#include <fmt/format.h>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

const std::vector<Rewrite>& canonical_rewrites() {
  static const std::vector<Rewrite> kRewrites = {
#define OPKIT_REWRITE(function, purpose) {#function, purpose, function},
#include "opkit/rewrite/passes/rewrites.def"
#undef OPKIT_REWRITE
  };
  return kRewrites;
}

const std::vector<Rewrite>& unfolding_rewrites() {
  static const std::vector<Rewrite> kRewrites = [] {
    std::vector<Rewrite> rewrites = canonical_rewrites();
    std::erase_if(rewrites, [](const Rewrite& rewrite) {
      return rewrite.apply == fold_batch_norm || rewrite.apply == fold_scale ||
             rewrite.apply == fold_bias;
    });
    return rewrites;
  }();
  return kRewrites;
}

Result<std::map<std::string, size_t>> canonicalize(graph::Graph& graph,
                                                   const std::vector<Rewrite>& rewrites) {
  constexpr int kMostRounds = 100;
  std::map<std::string, size_t> changes;
  OPKIT_CHECK(reference::infer(graph));
  for (int round = 0; round < kMostRounds; ++round) {
    size_t changed = 0;
    for (const Rewrite& rewrite : rewrites) {
      OPKIT_TRY(const size_t places, rewrite.apply(graph));
      if (places == 0) continue;
      changed += places;
      changes[std::string(rewrite.name)] += places;
      OPKIT_CHECK(graph::sort_nodes(graph));
      OPKIT_CHECK(reference::infer_new(graph));
    }
    if (changed > 0) continue;
    if (!changes.empty()) OPKIT_CHECK(reference::infer(graph));
    return changes;
  }
  return Error("OPK-PASS-001",
               fmt::format("the rewrites find no end within {} rounds on graph '{}'", kMostRounds,
                           graph.name),
               "report this model");
}

}  // namespace opkit::passes
