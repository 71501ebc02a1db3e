// QuantizedSteps: what the scales and zero points of a QuantizeLinear or DequantizeLinear say,
// where they are constants.
#ifndef OPKIT_REWRITE_PASSES_STEPS_H_
#define OPKIT_REWRITE_PASSES_STEPS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// A whole number q stands for scale * (q - zero).
struct QuantizedSteps {
  DType dtype = DType::kUndefined;  // is the dtype of the whole numbers
  std::vector<double> scale, zero;  // one for all, or one for each position along the axis
  int64_t axis = 0;                 // counts from the front; used where there are several scales

  bool is_one() const { return scale.size() == 1; }
  bool operator==(const QuantizedSteps& other) const {
    return dtype == other.dtype && scale == other.scale && zero == other.zero &&
           (is_one() || axis == other.axis);
  }
};

// Returns nothing when the node is no QuantizeLinear or DequantizeLinear, its scales or zero points
// are computed, in blocks or not of float32, or the rank of its operand is not known.
std::optional<QuantizedSteps> steps_of(const graph::Graph& graph, const graph::Node& node);

// Adds the scales and zero points as constants: the second and third operand of such a node.
std::vector<std::string> add_steps(graph::Graph& graph, const std::string& stem,
                                   const QuantizedSteps& steps);

// A DequantizeLinear of a constant: it stays a node until int8 kernels had the choice.
bool dequantizes_constant(const graph::Graph& graph, const graph::Node& node);

// Tells whether any node quantises, makes floats of whole numbers, or computes on them, those of
// bodies left out.
bool is_quantized(const graph::Graph& graph);

// The node gives whole numbers as they come, whatever they stand for: Reshape, Transpose, MaxPool
// and their like. Operands behind the first one, those of Concat excepted, are no such numbers.
bool moves_numbers(const graph::Node& node);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_STEPS_H_
