// The lowering of a contract's reference: the graph of ONNX operators that it stands for in one
// call. Everything that needs the reference of a call takes it from here.
#ifndef OPKIT_CONTRACT_LOWER_H_
#define OPKIT_CONTRACT_LOWER_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"

namespace opkit {

// A call as its reference sees it.
struct ReferenceCall {
  // The tensors of each input port; none for an absent input. Those whose values the reference
  // needs to know (axes, shapes) are constants.
  std::vector<std::vector<graph::ValueInfo>> inputs;
  AttrValues attrs;  // complete
  Scope scope;       // holds symbols, attributes and counts
  size_t column = 0;
  const Spelling* spelling = nullptr;  // stands in place of the reference
};

// scaled: not the value is rounded to the type, but its product with a number that nobody knows.
struct Stored {
  DType dtype;
  bool scaled = false;
};

struct LoweredReference {
  // Inputs are named as tensor_name says; constants and the values of inner nodes have names that
  // no port has. A node's name is its first result in the contract, its place is its line.
  graph::Graph graph;
  // The values of each output port, one per tensor. A node whose `when` does not hold has none: its
  // readers read what its `else` names, or without one nothing.
  std::vector<std::vector<std::string>> outputs;
  // Values that `store` rounds before anything reads them.
  std::map<std::string, Stored> stored;
};

// Attributes take the call's values, dims the scope's, absent inputs leave empty names. The dtype
// and, where it can be inferred, the shape of every value is known. Errors point to the node.
Result<LoweredReference> lower_reference(const OpContract& contract, const ReferenceCall& call);

// Returns the name of tensor i of a port in the reference: "x", and "x:i" where a port has several.
std::string tensor_name(const Port& port, size_t i);

// Returns the dims that the items of a shape stand for. Error: OPK-CONTRACT-046 when one is not
// known.
Result<std::vector<int64_t>> dims_in(const std::vector<Expr>& items, const Scope& scope);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_LOWER_H_
