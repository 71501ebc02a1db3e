// Operators of installed contracts in graphs that programs build: ge::Operator("z", "AddRelu").
// Private to this folder.
#ifndef OPKIT_ATC_GE_CONTRACT_OPERATOR_H_
#define OPKIT_ATC_GE_CONTRACT_OPERATOR_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/atc/ge/known.h"
#include "opkit/atc/ge/prototypes.h"
#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"

namespace opkit::ge_frontend {

Prototype prototype_of(const OpContract& contract);

// An operator, checked, and the values that it reads.
struct ContractCall {
  const OpContract& contract;
  const opkit_graph::OperatorData& op;
  const std::string& name;
  const std::map<std::string, std::vector<std::string>>& inputs;  // names the values of each port
};

// Adds what the contract's reference stands for in this call. The first result is called `name`,
// the others "name:1" and so on. Errors: of inference; OPK-GE-003 a call that the contract does not
// take, with the contract's reason.
Status add_reference(const ContractCall& call, graph::Graph& graph, Known& known);

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_CONTRACT_OPERATOR_H_
