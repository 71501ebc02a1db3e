// Calibration: the ranges of a model's values on samples.
#ifndef OPKIT_QUANTIZE_CALIBRATE_H_
#define OPKIT_QUANTIZE_CALIBRATE_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "opkit/quantize/histogram.h"
#include "opkit/quantize/options.h"
#include "opkit/quantize/samples.h"
#include "opkit/quantize/walk.h"

namespace opkit::quantize {

// What the samples showed of a value.
struct SeenValue {
  explicit SeenValue(size_t bins) : histogram(bins) {}

  Histogram histogram;
  std::vector<std::pair<double, double>> extremes;  // hold each sample's smallest and largest value
  // Hold the ends of each channel, where the value has some (dim 1).
  std::vector<double> lows, highs;
  uint64_t not_finite = 0, at_low = 0, at_high = 0;  // the last two: values equal to the extremes
};
using SeenValues = std::map<std::string, SeenValue>;

// Called with the number of samples that are done.
using Advance = std::function<void(size_t done)>;

// Evaluates the model on every sample and looks at the named values. Errors: those of the
// interpreter; OPK-QUANT-003 a value that is not finite.
Result<SeenValues> calibrate(const Walk& walk, const Samples& samples,
                             const std::vector<std::string>& values, size_t bins, unsigned threads,
                             const Advance& advance);

struct ValueRange {
  double low = 0, high = 0;
};
// Returns the range that the method makes of it; 0 is always inside.
ValueRange range_of(const SeenValue& seen, const LayerOptions& options);

// Returns what the samples do not cover: OPK-QUANT-010. `inputs`: those of the model.
Errors not_covered(const SeenValues& seen, const std::vector<std::string>& inputs, size_t samples);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_CALIBRATE_H_
