#include "opkit/atc/optimize/optimize.h"

namespace opkit::optimize {

std::vector<variants::VariantStep> Optimized::steps() const {
  std::vector<variants::VariantStep> steps;
  for (const TakenStep& one : found.taken) steps.push_back(one.step);
  return steps;
}

Result<Optimized> optimize(graph::Graph graph, const InstalledOps& ops, compile::Options options,
                           const SearchLimits& limits) {
  options.steps.clear();
  OPKIT_TRY(const compile::Coverable form, compile::coverable(std::move(graph), ops, options));
  const auto covered = [&](const graph::Graph& variant) -> Result<compile::Compiled> {
    compile::Coverable one = form;
    one.compiled.graph = variant;
    OPKIT_CHECK(compile::cover_form(one, ops, options));
    return std::move(one.compiled);
  };
  const auto cost_of = [&](const graph::Graph& variant) -> Result<uint64_t> {
    OPKIT_TRY(const compile::Compiled compiled, covered(variant));
    return compiled.cover.cost;
  };
  Optimized optimized;
  optimized.limits = limits;
  OPKIT_TRY(optimized.bound, bound_of(form.compiled.graph, options.candidates.soc));
  OPKIT_TRY(optimized.found, search(form.compiled.graph, cost_of, limits));
  OPKIT_TRY(const compile::Compiled best, covered(optimized.found.graph));
  OPKIT_TRY(optimized.left, what_is_left(best, options.candidates.soc));
  return optimized;
}

}  // namespace opkit::optimize
