// Inference: what is known of values before anything is computed.
#ifndef OPKIT_REFERENCE_INFER_H_
#define OPKIT_REFERENCE_INFER_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::reference {

// The node's outputs in order, one per name in node.outputs. `inputs` match node.inputs; null is
// absent. A shape that depends on values which are not known is absent. Small outputs whose
// operands are constants become constants; so do the results of Shape and Size.
Result<std::vector<graph::Value>> infer_node(const graph::Node& node,
                                             const std::vector<const graph::Value*>& inputs,
                                             int opset = graph::kDefaultOpset);

// Infers every value that the graph's nodes define. REQUIRES: graph::validate(graph).
// The constants found on the way do not enter the graph.
Status infer(graph::Graph& graph);

// The elements of a value that is small and depends on no input's elements; null when they are not
// known. Operands that nothing defines yet are unknown. REQUIRES: nodes are in order.
Result<std::shared_ptr<const graph::RefTensor>> known_value(const graph::Graph& graph,
                                                            const std::string& name);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_INFER_H_
