// Wrong rewrites, which no canonical form has: whoever judges graphs must see each of them.
#ifndef TESTS_GRAPHS_PLANTED_H_
#define TESTS_GRAPHS_PLANTED_H_

#include <vector>

#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::graph_tests {

// Each changes what some operators of a canonical graph compute, and is a mistake that a rewrite
// could make.
const std::vector<passes::Rewrite>& planted_errors();

}  // namespace opkit::graph_tests

#endif  // TESTS_GRAPHS_PLANTED_H_
