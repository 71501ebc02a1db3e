// A call of an op as the nodes of its contract's reference, inside a graph.
#ifndef OPKIT_ATC_COMPILE_REFERENCE_NODES_H_
#define OPKIT_ATC_COMPILE_REFERENCE_NODES_H_

#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

struct ReferenceNodes {
  const OpContract& contract;
  const std::string& name;  // begins the names of what the reference adds
  const AttrValues& attrs;  // hold what the caller states
  const std::vector<std::vector<std::string>>& inputs;  // the values of each port
  // Name the values that each port gives; "": nobody wants it.
  const std::vector<std::vector<std::string>>& outputs;
  size_t column = 0;  // whose formats the inputs have; dtypes may choose another one
};

// Adds the nodes and constants, behind the nodes that are there. REQUIRES: dtype and shape of each
// input are known. Errors, before anything is added: those of binding and lowering, without a code
// where the reference cannot say the call: it rounds on the way, or results are missing.
Status add_reference_nodes(const ReferenceNodes& call, graph::Graph& graph);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_REFERENCE_NODES_H_
