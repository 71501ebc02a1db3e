// Inference: what is known of values before anything is computed.
#ifndef OPKIT_REFERENCE_INFER_H_
#define OPKIT_REFERENCE_INFER_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::reference {

// Returns the node's outputs in order, one per name in node.outputs. `inputs` match node.inputs;
// null is absent. A shape that depends on values which are not known is absent. Small outputs whose
// operands are constants become constants; so do the results of Shape and Size.
Result<std::vector<graph::ValueInfo>> infer_node(const graph::Node& node,
                                                 const std::vector<const graph::ValueInfo*>& inputs,
                                                 int opset = graph::kDefaultOpset);

// Infers every value that the graph's nodes define. REQUIRES: graph::validate(graph).
// The constants found on the way do not enter the graph.
Status infer(graph::Graph& graph);
// Infers the values that the graph does not know yet, or not all dims of. REQUIRES: infer's, and
// that what the graph knows of values is still true.
Status infer_new(graph::Graph& graph);

// Infers like infer and returns what is known of the graph's outputs, elements of small ones that
// depend on no input included.
Result<std::vector<graph::ValueInfo>> infer_outputs(graph::Graph& graph);

// Returns the elements of values that are small and depend on no input's elements; null where they
// are not known. Operands that nothing defines yet are unknown. REQUIRES: nodes are in order.
Result<std::vector<std::shared_ptr<const graph::RefTensor>>> known_values(
    const graph::Graph& graph, const std::vector<std::string>& names);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_INFER_H_
