// The reference of one call, node by node on stored tensors.
#ifndef OPKIT_VERIFY_UNFUSED_NODE_WALK_H_
#define OPKIT_VERIFY_UNFUSED_NODE_WALK_H_

#include <map>
#include <string>

#include "opkit/verify/problem/problem.h"
#include "opkit/verify/unfused/single_ops.h"

namespace opkit::verify {

struct NodeByNode {
  Ports outputs;
  std::map<std::string, Tensor> tensors;  // holds every value of the lowered reference
  // Says who computed a node, by the node's first output.
  std::map<std::string, std::string> plugins;
};

// Errors: OPK-VERIFY-070 a part of the reference that cannot be run node by node, and those of the
// plugins.
Result<NodeByNode> run_node_by_node(const OpContract& contract, const Problem& problem,
                                    const Ports& inputs, SingleOps& singles);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_UNFUSED_NODE_WALK_H_
