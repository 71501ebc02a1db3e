// Roofline: what kernels can take at best on a chip, and what they are expected to take, out of
// bytes, arithmetic and launches alone.
#ifndef OPKIT_FUSION_FEASIBLE_ROOFLINE_H_
#define OPKIT_FUSION_FEASIBLE_ROOFLINE_H_

#include <string>

#include "opkit/core/modes/timed.h"
#include "opkit/fusion/feasible/traffic.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::feasible {

// Arithmetic of kernels.
struct Arithmetic {
  double products = 0;       // multiply-adds of the cube unit
  double elements = 0;       // results of vector instructions
  double vector_cycles = 0;  // counts the cycles of one core that does all of them

  Arithmetic& operator+=(const Arithmetic& other);
};
Arithmetic arithmetic_of(const graph::Graph& graph, const graph::Node& node,
                         const core::TimingRates& rates);

// Nanoseconds of one side.
// Counts multiply-adds of a node, those with zeros of the padding included; 0: it is no product.
double products_of(const graph::Graph& graph, const graph::Node& node);

struct Times {
  double bound = 0;     // no kernels that compute this take less
  double memory = 0;    // is what the bytes take at the memory's rate
  double expected = 0;  // copies, vector and cube units at once
  double quickest = 0;  // arithmetic costs nothing
  double slowest = 0;   // one thing after the other
};

struct ChipGain {
  std::string soc;
  bool measured = false;  // somebody measured figures of the chip
  Times separate, fused;
  Arithmetic arithmetic;
  std::string bound_by;  // says what bounds the fused kernel: "memory", "cube", "vector", "launch"

  double expected() const { return separate.expected / fused.expected; }
  // Returns the range: both sides without arithmetic, and both without overlap, the smaller one
  // first.
  double least() const;
  double most() const;
};

// Error: trace::rates_of's.
Result<ChipGain> gain_of(const Subject& subject, const TensorTotals& traffic, const SocSpec& soc);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_ROOFLINE_H_
