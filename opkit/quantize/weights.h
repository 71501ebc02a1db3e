// Weights in int8: a scale per channel, symmetric, and the bias in int32.
#ifndef OPKIT_QUANTIZE_WEIGHTS_H_
#define OPKIT_QUANTIZE_WEIGHTS_H_

#include <vector>

#include "opkit/quantize/layers.h"
#include "opkit/quantize/least_scale.h"

namespace opkit::quantize {

// Levels of int8 on each side of zero, where both sides have as many.
inline constexpr double kLevels = 127;

struct Int8Weights {
  std::vector<double> scales;  // numbers of float32; one, or one per channel
  graph::RefTensor values;     // int8
  // In int32, in steps of the data's scale by the weights'; nothing where the steps are no numbers
  // of float32.
  std::optional<graph::RefTensor> bias;
  std::vector<double> bias_scales;  // these steps
  double error = 0;                 // squared, as a share of the weights' squares
  size_t widened = 0;               // channels whose scale is larger so that int32 holds the bias
};

// Returns a scale for a bound of magnitudes; 1 for 0.
double scale_of(double bound);

// Returns the scales that the method finds.
std::vector<double> weight_scales(const Layer& layer, WeightMethod method);

// Returns the layer's weights in these scales; those that int32 cannot hold the bias in grow.
Int8Weights quantized_weights(const Layer& layer, std::vector<double> scales, double data_scale);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_WEIGHTS_H_
