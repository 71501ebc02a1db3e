// From ge::Graph, which a program built, to the graph that is compiled.
#ifndef OPKIT_ATC_GE_LOWER_H_
#define OPKIT_ATC_GE_LOWER_H_

#include <functional>
#include <map>
#include <string>

#include "graph/graph.h"
#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"

namespace opkit::ge_frontend {

// The contract of an op type; null: there is none.
using Contracts = std::function<const OpContract*(const std::string& type)>;

// Returns the operators that the outputs need, as ONNX nodes. A value has its operator's name;
// operators without one are called by type and number. Inputs are in the order of SetInputs;
// `shapes` are dims for inputs whose description leaves some open. A type that the table does not
// have is looked for among `contracts`, and becomes its reference. Errors: OPK-GE-001 no inputs or
// outputs, a name twice, an input that SetInputs does not name, operators in a circle; OPK-GE-002
// an operator that is not known; OPK-GE-003 an operator's inputs or attributes, a result that is
// not there; E10001 a shape of an input that the graph does not have.
Result<graph::Graph> lower(const ge::Graph& graph, const std::map<std::string, Shape>& shapes = {},
                           const Contracts& contracts = {});

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_LOWER_H_
