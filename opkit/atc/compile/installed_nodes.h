// Nodes of a model whose type is that of an installed op: the exporter of the model names the op.
#ifndef OPKIT_ATC_COMPILE_INSTALLED_NODES_H_
#define OPKIT_ATC_COMPILE_INSTALLED_NODES_H_

#include <optional>
#include <string>

#include "opkit/atc/compile/candidate.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// Makes each node that no ONNX operator is a call of the installed op of its type, whatever its
// domain: an opaque node, which that op alone takes. Such a graph has the operators' version of
// references, where it can be raised. Errors: E19010 no op of that type serves the chip;
// OPK-ATC-014 a node that the op does not take; those of the op's plan.
Status take_installed_nodes(graph::Graph& graph, const InstalledOps& ops, const std::string& soc);

// Says opaque nodes by the references of their ops, so that the graph can be evaluated without
// them. Where a reference cannot say the call, or the graph has another version, the node stays.
void say_by_reference(graph::Graph& graph, const InstalledOps& ops);

// The call that an opaque node is of the op; nothing: of another op, or the node is none.
std::optional<match::Match> call_of(const graph::Graph& graph, size_t node,
                                    const OpContract& contract);

// What the executor says of a match. Errors: the executor's; OPK-ATC-014 a value-dependent input
// that is no constant.
Result<SharedPlan> plan_of(InstalledOp& op, const match::Match& match, const graph::Graph& graph,
                           const std::string& soc);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_INSTALLED_NODES_H_
