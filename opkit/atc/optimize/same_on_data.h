// A graph before and after a step, compared where they differ: the nodes that are in one of the two
// alone are evaluated by the interpreter in double precision on the same data.
#ifndef OPKIT_ATC_OPTIMIZE_SAME_ON_DATA_H_
#define OPKIT_ATC_OPTIMIZE_SAME_ON_DATA_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::optimize {

struct SameOnData {
  size_t values = 0;    // that both give and somebody else reads
  double worst = 0;     // distance, as a share of a value's largest element
  std::string skipped;  // why nothing was compared; empty: it was

  // Sums in another order differ in the last places of double precision.
  bool holds() const { return worst <= 1e-9; }
};

// Errors: those of the interpreter.
Result<SameOnData> same_on_data(const graph::Graph& before, const graph::Graph& after);

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_SAME_ON_DATA_H_
