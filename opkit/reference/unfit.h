// Branches of an If that cannot run at the dims that its graph has: what stands in their place.
//
// A network for two kinds of input has a branch for each, and at given dims one of them may have no
// meaning. The other one is what the If gives then; whoever takes the first one is told.
#ifndef OPKIT_REFERENCE_UNFIT_H_
#define OPKIT_REFERENCE_UNFIT_H_

#include <optional>
#include <string_view>

#include "opkit/graph/graph.h"
#include "opkit/reference/control.h"
#include "opkit/reference/operator.h"

namespace opkit::reference {

// Names the operator that refuses to run: no file can hold it.
inline constexpr std::string_view kUnfitBranch = "opkit:UnfitBranch";

// The code of a branch that does not fit the dims: a warning when the model is compiled, an error
// when the branch is taken.
inline constexpr const char* kUnfit = "OPK-FLOW-005";

// Returns the row of that operator. Evaluation gives the error that the node holds.
const Operator& unfit_operator();

// Tells whether an error of inference says that dims do not fit.
bool is_of_dims(const Error& error);

// Returns why a branch cannot run, where the node is an If whose other branch can: a warning that
// names node, branch and reason. Nothing for other bodies.
std::optional<Error> why_unfit(const graph::Node& node, const std::string& attribute,
                               const KnownOperands& operands, const InferBody& infer);

// Returns a body with the inputs of `branch` and the results of the node's other branch, that gives
// the error when it runs. REQUIRES: why_unfit gave the error, and the other branch's dims are
// known.
Result<graph::Graph> refusing_body(const graph::Node& node, const std::string& attribute,
                                   const graph::Graph& branch, const KnownOperands& operands,
                                   const InferBody& infer, const Error& why);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_UNFIT_H_
