// Single ops, which compute one operator of a reference each, and how they do.
#ifndef OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_
#define OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/graph/graph.h"

namespace opkit::verify {

struct UnfusedOp {
  const OpContract* contract = nullptr;
  Executor* executor = nullptr;
  std::string name;  // "Relu 1.0.0 of opkit"
};

struct SingleCall {
  Invocation invocation;                          // without chip
  std::vector<std::vector<std::string>> outputs;  // values of each output port
};

// Tests get it from whoever can match ops with nodes (opkit/verify/single): the tools for ops alone
// cannot, and do without.
class SingleOps {
 public:
  virtual ~SingleOps() = default;
  // What computes the ONNX operator by itself, at least in some calls; nullptr: nothing does.
  virtual const UnfusedOp* find(const std::string& op_type) = 0;
  // Returns how the op computes the node of the graph; nothing where it does not. `values`: every
  // operand of the node has one.
  virtual std::optional<SingleCall> call(const UnfusedOp& single, const graph::Graph& graph,
                                         const graph::Node& node,
                                         const std::map<std::string, Tensor>& values) const = 0;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_
