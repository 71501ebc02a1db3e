// Operators of ONNX Runtime's own domain, com.microsoft, as those of ONNX: quantizers and
// optimizers write them. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_RUNTIME_NODES_H_
#define OPKIT_REWRITE_ONNX_RUNTIME_NODES_H_

#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::onnx_frontend {

inline constexpr std::string_view kRuntimeDomain = "com.microsoft";

// Tells whether `runtime_nodes` knows the operator. `op_type`: without the domain.
bool is_of_runtime(std::string_view op_type);

// Returns the nodes that compute what this one does; constants go to `graph`, whose version the
// nodes have. New names begin with that of the first result. Errors: OPK-ONNX-002 a form that is
// none of ONNX's. REQUIRES: is_of_runtime, an op_type without the domain.
Result<std::vector<graph::Node>> runtime_nodes(graph::Node node, graph::Graph& graph);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_RUNTIME_NODES_H_
