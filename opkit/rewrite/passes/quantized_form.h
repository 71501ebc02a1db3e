// The whole numbers of a quantised model: what its nodes between DequantizeLinear and
// QuantizeLinear compute, said without floats in between, as the references of int8 kernels say it.
#ifndef OPKIT_REWRITE_PASSES_QUANTIZED_FORM_H_
#define OPKIT_REWRITE_PASSES_QUANTIZED_FORM_H_

#include <map>
#include <string>

#include "opkit/graph/graph.h"

namespace opkit::passes {

struct QuantizedForm {
  // Nodes from whole numbers to whole numbers alone. Its inputs and outputs are values of the model
  // by their names; all other names are its own. Without nodes: the model has none of it.
  graph::Graph graph;
  // By the first result of a node of the model that reads what a DequantizeLinear gives: why it
  // computes in floats.
  std::map<std::string, std::string> reasons;
};

// Sums, scales and zero points of constants are computed in double and rounded once, so that a
// result is at most one step from that of floats. REQUIRES: the graph is canonical but for
// DequantizeLinear of constants.
Result<QuantizedForm> quantized_form(const graph::Graph& graph);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_QUANTIZED_FORM_H_
