// What is judged of a node before it is evaluated: operator, arity, attributes, dtypes, shapes.
// Private to this folder.
#ifndef OPKIT_REFERENCE_CHECK_NODE_H_
#define OPKIT_REFERENCE_CHECK_NODE_H_

#include <vector>

#include "opkit/reference/operator.h"

namespace opkit::reference {

// Error: OPK-REF-001 with the nearest name.
Result<const Operator*> operator_of(const Node& node);

// Returns the error with the node's place, when it has none.
Error placed(Error error, const Node& node);

// Arity, names and types of attributes.
Status check_node(const OperatorCall& call, const Operator& op, const Node& node);

// Returns one fact for each result that the operator has for such inputs, at least one for each
// output of the node. Without known shapes of the inputs only dtypes are inferred.
Result<std::vector<Fact>> infer_facts(const OperatorCall& call, const Operator& op,
                                      bool shapes_known);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_CHECK_NODE_H_
