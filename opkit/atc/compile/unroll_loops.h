// Which loops of a model are written out. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_UNROLL_LOOPS_H_
#define OPKIT_ATC_COMPILE_UNROLL_LOOPS_H_

#include <functional>

#include "opkit/graph/graph.h"

namespace opkit::compile {

// What a graph takes per frame, when it is compiled with its loops as they are. `on_host`: runs of
// operators of the interpreter.
struct FrameCost {
  uint64_t nanoseconds = 0;
  uint64_t on_host = 0;
};
using CostOfGraph = std::function<Result<FrameCost>(graph::Graph)>;

// Writes out each Loop and Scan of known count whose iterations one after the other cost less than
// the host's coming back for each of them: both are compiled by themselves. `turnaround`:
// nanoseconds of that. Long ones stay, and quantised ones: their whole numbers are found in a body
// by itself. Returns how many were written out. REQUIRES: shapes of all values are known. Errors:
// those of the rewrites and of `cost_of`.
Result<size_t> unroll_loops(graph::Graph& graph, uint64_t turnaround, const CostOfGraph& cost_of);

// Nodes that all iterations of a loop may become.
inline constexpr size_t kMostUnrolled = 256;

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_UNROLL_LOOPS_H_
