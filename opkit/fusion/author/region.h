// Region: nodes of a graph that become one op, with names of its own.
#ifndef OPKIT_FUSION_AUTHOR_REGION_H_
#define OPKIT_FUSION_AUTHOR_REGION_H_

#include <string>
#include <vector>

#include "opkit/fusion/author/step.h"
#include "opkit/graph/graph.h"

namespace opkit::author {

struct RegionInput {
  std::string name;   // names the input in the op: "x1"
  std::string value;  // names the value in the graph
  Shape shape;
};

// An element-wise op: every input broadcasts to the one result.
struct ElementwiseRegion {
  std::vector<RegionInput> inputs;
  std::vector<RegionStep> steps;  // are in order; the last one makes the result, "y"
  Shape shape;                    // is the shape of the result
};

// Returns the nodes with these names, ascending. An unnamed node has the name of its first result.
// Error: OPK-AUTHOR-001 a name that no node has.
Result<std::vector<size_t>> find_nodes(const graph::Graph& graph,
                                       const std::vector<std::string>& names);

// Tensors that kernels of elementwise.h read.
inline constexpr size_t kMostInputs = 6;

// The nodes (ascending) as an op. Constants of one element become numbers, others inputs. Errors:
// OPK-AUTHOR-002 an element of the result depends on more than the elements at its place, or an
// operator that no formula is known for; -003 results of several nodes leave, or none does;
// -004 element types that formulas do not compute in; -005 more inputs than kernels take.
// REQUIRES: dtypes and shapes are inferred.
Result<ElementwiseRegion> region_of(const graph::Graph& graph, const std::vector<size_t>& nodes);

}  // namespace opkit::author

#endif  // OPKIT_FUSION_AUTHOR_REGION_H_
