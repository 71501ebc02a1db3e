// The reference interpreter: what an ONNX operator means, in double precision, written to be
// obviously right. Shares no code with any kernel.
#ifndef OPKIT_REFERENCE_EVALUATE_H_
#define OPKIT_REFERENCE_EVALUATE_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/reference/tensor.h"

namespace opkit::reference {

// What a floating value between two nodes is.
enum class Precision {
  kDouble,   // carried in double; only Cast and quantization round (the oracle)
  kRounded,  // rounded to the tensor's dtype after each node (what a framework computes)
};

using graph::Attribute;
using graph::Graph;
using graph::kDefaultOpset;
using graph::Node;
using NamedTensors = std::map<std::string, RefTensor>;

struct EvaluateOptions {
  Precision precision = Precision::kDouble;
  // Moves every floating result of a graph that depends on the inputs' elements by up to
  // this share of itself, always in the same way, and results of functions that kernels know less
  // well near 0 (Bound::absolute) by as much of 1. Shows how far a result may be from another one
  // that rounds otherwise.
  double noise = 0;
  // Another number moves them in another way: what decides between elements that are nearly equal
  // (TopK, ArgMax) falls this way or that way.
  uint32_t draw = 0;
};

// Returns the node's outputs in order, one per name in node.outputs. `inputs` match node.inputs;
// null is absent.
Result<std::vector<RefTensor>> evaluate_node(const Node& node,
                                             const std::vector<const RefTensor*>& inputs,
                                             int opset = kDefaultOpset,
                                             const EvaluateOptions& options = {});

// Returns the graph's outputs by name. `inputs` has a tensor for every input of the graph, of the
// stated dtype and shape.
Result<NamedTensors> evaluate(const Graph& graph, const NamedTensors& inputs,
                              const EvaluateOptions& options = {});

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_EVALUATE_H_
