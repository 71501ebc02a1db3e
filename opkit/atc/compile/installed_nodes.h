// Nodes of a model whose type is that of an installed op: the exporter of the model names the op.
#ifndef OPKIT_ATC_COMPILE_INSTALLED_NODES_H_
#define OPKIT_ATC_COMPILE_INSTALLED_NODES_H_

#include <string>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// Makes each node that no ONNX operator is a call of the installed op of its type, whatever its
// domain: an opaque node, which that op alone takes. Such a graph has the operators' version of
// references, where it can be raised. Errors: E19010 no op of that type serves the chip;
// OPK-ATC-014 a node that the op does not take; those of the op's plan.
Status take_installed_nodes(graph::Graph& graph, const InstalledOps& ops, const std::string& soc);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_INSTALLED_NODES_H_
