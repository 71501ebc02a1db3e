// Graphs that must compute the same.
#ifndef OPKIT_TESTS_UNIT_REWRITE_PASSES_PROOFS_H_
#define OPKIT_TESTS_UNIT_REWRITE_PASSES_PROOFS_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Inferred and valid, or the test fails.
graph::Graph parsed(const std::string& text);

// Both graphs on the same random data: equal, -0 and 0 too, when the tolerance is 0; else as near
// as tolerance * (1 + magnitude).
void expect_same_values(const graph::Graph& before, const graph::Graph& after, double tolerance);

}  // namespace opkit::passes

#endif  // OPKIT_TESTS_UNIT_REWRITE_PASSES_PROOFS_H_
