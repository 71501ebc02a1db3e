// Casts whole exponents of floats to the type of what they raise: a few numbers, as models have
// them, that every type of floats holds.
#include <algorithm>
#include <cmath>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {

Parts rephrase_powers(graph::Graph& graph, size_t n) {
  constexpr double kExact = 256;  // bfloat16 has eight bits
  const graph::Node& node = graph.nodes[n];
  if (node.op_type != "Pow") return {};
  const DType base = dtype_of(graph, node.inputs[0]);
  const graph::RefTensor* exponent = graph.constant(node.inputs[1]);
  if (!exponent || !is_float(base) || is_float(exponent->dtype)) return {};
  if (std::any_of(exponent->values.begin(), exponent->values.end(),
                  [](double value) { return std::abs(value) > kExact; }))
    return {};
  graph::RefTensor cast = *exponent;
  cast.dtype = base;
  const std::string floats = add_constant(graph, node.outputs[0] + "/exponent", std::move(cast));
  graph.nodes[n].inputs[1] = floats;
  return std::vector{graph.nodes[n].outputs[0]};
}

}  // namespace opkit::passes
