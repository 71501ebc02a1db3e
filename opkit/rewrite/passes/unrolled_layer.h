// A recurrent layer whose steps can be written one behind the other. Private to the rephrasings.
#ifndef OPKIT_REWRITE_PASSES_UNROLLED_LAYER_H_
#define OPKIT_REWRITE_PASSES_UNROLLED_LAYER_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

struct UnrolledLayer {
  graph::Node node;
  int64_t steps = 0, batch = 0, features = 0, hidden = 0, directions = 0, gates = 0;
  DType dtype = DType::kUndefined;
  bool batch_first = false, linear_before_reset = false;
  std::vector<std::string> activations =
      {};  // operators, those of one direction behind the other's

  bool has_input(size_t i) const { return i < node.inputs.size() && !node.inputs[i].empty(); }
  bool wants(size_t i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }
  bool backwards(int64_t direction) const;
  std::string activation(int64_t direction, size_t i) const;
};

// Returns nothing for other operators, and for layers that do more than these words say: sequences
// of different lengths, peepholes, clipping, coupled gates, activations with numbers of their own,
// too many steps.
std::optional<UnrolledLayer> unrolled_layer(const graph::Graph& graph, const graph::Node& node);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_UNROLLED_LAYER_H_
