// The search over variants of a graph, on costs alone: it knows neither ops nor chips.
#ifndef OPKIT_ATC_OPTIMIZE_SEARCH_H_
#define OPKIT_ATC_OPTIMIZE_SEARCH_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/optimize/same_on_data.h"
#include "opkit/rewrite/variants/variant.h"

namespace opkit::optimize {

struct SearchLimits {
  size_t most = 64;   // costs that are asked for
  uint32_t seed = 1;  // seeds the order among equals, and the pairs that are tried
  std::function<void(size_t)> tried = [](size_t) {};  // told how many costs were asked for
};

// A step that lowered the cost.
struct TakenStep {
  variants::VariantStep step;
  size_t places = 0;  // that changed
  uint64_t before = 0, after = 0;
  SameOnData same;  // tells of its first place
};

// What became of a variant.
struct Tally {
  std::string variant;
  size_t places = 0;                 // counts its places in the graph at the end
  size_t tried = 0, taken = 0;       // steps
  std::optional<int64_t> best_left;  // what the best step that was not taken gains; mostly negative
};

struct FoundSteps {
  std::vector<TakenStep> taken;
  graph::Graph graph;  // after them
  uint64_t plain = 0, best = 0;
  size_t tried = 0;    // costs asked for
  size_t untried = 0;  // groups of places for which nothing was left
  std::vector<Tally> tallies;
  Errors warnings;  // OPK-ATC-016
};

using CostOf = std::function<Result<uint64_t>(const graph::Graph&)>;

// Alike places are changed together. First every step is tried by itself, then, the best first,
// each on what was taken before, until no step lowers the cost; then pairs of steps that only lower
// it together. The same arguments give the same steps. A step that changes what the graph computes
// is not taken and told. Errors: those of `cost_of`, of inference and of the interpreter. REQUIRES:
// the graph is canonical.
Result<FoundSteps> search(graph::Graph graph, const CostOf& cost_of, const SearchLimits& limits,
                          const std::vector<variants::Variant>& variants = variants::variants());

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_SEARCH_H_
