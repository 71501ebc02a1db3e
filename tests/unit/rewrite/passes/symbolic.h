// Graphs over symbolic reals: what a rewrite that is algebra must not change, proved by Z3 for all
// values of the inputs.
#ifndef OPKIT_TESTS_UNIT_REWRITE_PASSES_SYMBOLIC_H_
#define OPKIT_TESTS_UNIT_REWRITE_PASSES_SYMBOLIC_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Tells whether both graphs give equal outputs for all real inputs: "equal", or what Z3 says
// otherwise. Inputs must be of one dtype and shape in both. Knows Add, Sub, Mul, Div, Conv, Pad,
// BatchNormalization, Reshape, Flatten, Transpose, Identity and Relu; the square root of a variance
// must be a rational number.
std::string compared(const graph::Graph& before, const graph::Graph& after);

}  // namespace opkit::passes

#endif  // OPKIT_TESTS_UNIT_REWRITE_PASSES_SYMBOLIC_H_
