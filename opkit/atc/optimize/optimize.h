// atc --optimize: a search over variants of a model's graph, by the modelled time of its cover.
#ifndef OPKIT_ATC_OPTIMIZE_OPTIMIZE_H_
#define OPKIT_ATC_OPTIMIZE_OPTIMIZE_H_

#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/optimize/bound.h"
#include "opkit/atc/optimize/search.h"
#include "opkit/atc/optimize/what_is_left.h"

namespace opkit {
class Json;
}

namespace opkit::optimize {

struct Optimized {
  FoundSteps found;  // times are those of kernels, bodies of Loops and the like left out
  ModelBound bound;
  SearchLimits limits;
  WhatIsLeft left;  // describes the cover that was found

  // Returns the steps that compile::Options take.
  std::vector<variants::VariantStep> steps() const;
};

// The model's canonical form is the one that `options` give; steps that they hold are replaced.
// Errors: those of compile, and of the search.
Result<Optimized> optimize(graph::Graph graph, const InstalledOps& ops, compile::Options options,
                           const SearchLimits& limits);

// Each step, its gain, how it was compared; the gap to the bound; what was left and why.
std::string optimized_text(const Optimized& optimized);
Json optimized_json(const Optimized& optimized);

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_OPTIMIZE_H_
