// Calls of installed ops: as opaque nodes of a graph, and as plans.
#ifndef OPKIT_ATC_COMPILE_INSTALLED_CALLS_H_
#define OPKIT_ATC_COMPILE_INSTALLED_CALLS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/candidate.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// Returns the op type: "AddRelu" of "my.ops.AddRelu" and of "ai.onnx::11::AddRelu".
std::string op_type_of(const graph::Node& node);

// Lets an opaque node say which call it is, for call_of; `output_counts`: tensors of each output
// port.
void state_call(const match::Match& call, std::vector<int64_t> output_counts, graph::Node& node);

// Says opaque nodes by the references of their ops, so that the graph can be evaluated without
// them. Where a reference cannot say the call, or the graph has another version, the node stays.
void say_by_reference(graph::Graph& graph, const InstalledOps& ops);

// Returns the call that an opaque node is of the op; nothing: of another op, or the node is none.
std::optional<match::Match> call_of(const graph::Graph& graph, size_t node,
                                    const OpContract& contract);

// Returns what the executor says of a match. Errors: the executor's; OPK-ATC-014 a value-dependent
// input that is no constant.
Result<SharedPlan> plan_of(InstalledOp& op, const match::Match& match, const graph::Graph& graph,
                           const std::string& soc);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_INSTALLED_CALLS_H_
