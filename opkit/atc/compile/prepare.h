// From an imported model to the graph that is covered.
#ifndef OPKIT_ATC_COMPILE_PREPARE_H_
#define OPKIT_ATC_COMPILE_PREPARE_H_

#include <map>
#include <string>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/passes/quantized_form.h"

namespace opkit::compile {

// Error: E10001, an input whose dims are not stated.
Status check_inputs(const graph::Graph& graph);

// The graph in other words, for ops that are written so. Values of one name are equal in all.
struct OtherForms {
  // The graph without anything folded into weights of a Conv: an op that takes a normalization by
  // itself finds it here. Without nodes: nothing was folded.
  graph::Graph unfolded = {};
  // What a quantised model computes, in whole numbers.
  passes::QuantizedForm quantized = {};
};

struct Prepared {
  std::map<std::string, size_t> changes;  // places that each rewrite changed
  OtherForms forms;
  Errors warnings;  // OPK-ATC-006
};

// Infers, canonicalizes, and computes whatever does not depend on inputs, however large. Errors:
// those of inference and the rewrites; E10001 an input whose dims are not stated; OPK-ATC-001 dims
// that depend on data; OPK-ATC-002 constants of more elements than any model has; OPK-ATC-005 an
// output of another element type than its declaration.
Result<Prepared> prepare(graph::Graph& graph);

// Canonicalises a graph whose nodes were changed after that: no further inputs, no dims that depend
// on data.
Status canonicalize_again(graph::Graph& graph, std::map<std::string, size_t>& changes);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PREPARE_H_
