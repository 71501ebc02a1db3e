// Sensitivity: what a model's outputs lose when some layers alone compute in int8 or float16.
#ifndef OPKIT_QUANTIZE_SENSITIVITY_H_
#define OPKIT_QUANTIZE_SENSITIVITY_H_

#include <vector>

#include "opkit/quantize/check_model.h"
#include "opkit/quantize/mix.h"
#include "opkit/quantize/quantize_model.h"

namespace opkit::quantize {

// Returns the graph with these layers in these types; what lies between layers stays in its own
// type.
Result<graph::Graph> mixed_graph(const Walk& walk, const Int8Model& quantization,
                                 const std::vector<Kind>& kinds);

// Noise at the outputs, as a share of their size, of each layer alone: that of the output that
// suffers most. Evaluates what comes behind the layer on the first `most` samples.
using LayerNoise = std::vector<std::array<double, kKinds>>;
Result<LayerNoise> layer_noise(const Walk& walk, const Int8Model& quantization,
                               const Samples& samples, size_t most, unsigned threads,
                               const Advance& advance);

// Which layers read, through nodes that are none, what other ones give.
std::vector<std::pair<size_t, size_t>> layer_edges(const Walk& walk, const Int8Model& quantization);

// Returns the layers that the types say as int8; the others are left out as float ones.
Int8Model int8_part(const Walk& walk, const Int8Model& quantization, const std::vector<Kind>& kinds,
                    Between between);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_SENSITIVITY_H_
