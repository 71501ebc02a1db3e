// The call of a single op that computes one node of a reference.
#ifndef OPKIT_VERIFY_SINGLE_SINGLE_CALL_H_
#define OPKIT_VERIFY_SINGLE_SINGLE_CALL_H_

#include <map>
#include <optional>
#include <string>

#include "opkit/graph/graph.h"
#include "opkit/verify/unfused/single_ops.h"

namespace opkit::verify {

// Returns how the op computes the node, in ND: operands go to its ports and attributes as its
// reference says, so a list of sizes may become an attribute, and all parts of a Split one port.
// Nothing where the op does not compute this node. `values` are those of the graph so far; those
// that are constants of the graph may become attributes. REQUIRES: every operand of the node has a
// value.
std::optional<SingleCall> single_call(const OpContract& contract, const graph::Graph& graph,
                                      const graph::Node& node,
                                      const std::map<std::string, Tensor>& values);

// Single ops whose references are looked for in the node.
class MatchedOps : public SingleOps {
 public:
  std::optional<SingleCall> call(const UnfusedOp& single, const graph::Graph& graph,
                                 const graph::Node& node,
                                 const std::map<std::string, Tensor>& values) const override {
    return single_call(*single.contract, graph, node, values);
  }
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_SINGLE_SINGLE_CALL_H_
