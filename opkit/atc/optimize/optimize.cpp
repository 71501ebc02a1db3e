#include "opkit/atc/optimize/optimize.h"

#include <algorithm>

namespace opkit::optimize {
namespace {

size_t launches_of(const compile::Compiled& compiled) {
  return static_cast<size_t>(
      std::count_if(compiled.cover.chosen.begin(), compiled.cover.chosen.end(), [&](size_t c) {
        const compile::Candidate& one = compiled.candidates.all[c];
        return one.taker == compile::Taker::kPlugin && !one.on_aicpu();
      }));
}

}  // namespace

std::vector<variants::VariantStep> Optimized::steps() const {
  std::vector<variants::VariantStep> steps;
  for (const TakenStep& one : found.taken) steps.push_back(one.step);
  return steps;
}

Result<Optimized> optimize(graph::Graph graph, const InstalledOps& ops, compile::Options options,
                           const SearchLimits& limits) {
  options.steps.clear();
  OPKIT_TRY(const compile::Coverable form, compile::coverable(std::move(graph), ops, options));
  size_t launches = 0;
  const auto cost_of = [&](const graph::Graph& variant) -> Result<uint64_t> {
    compile::Coverable one = form;
    one.compiled.graph = variant;
    OPKIT_CHECK(compile::cover_form(one, ops, options));
    launches = launches_of(one.compiled);
    return one.compiled.cover.cost;
  };
  Optimized optimized;
  optimized.limits = limits;
  OPKIT_TRY(optimized.bound, bound_of(form.compiled.graph, options.candidates.soc));
  OPKIT_TRY(optimized.found, search(form.compiled.graph, cost_of, limits));
  OPKIT_TRY([[maybe_unused]] const uint64_t again, cost_of(optimized.found.graph));
  optimized.launches = launches;
  return optimized;
}

}  // namespace opkit::optimize
