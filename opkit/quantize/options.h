// Options of quantization: what holds for the model, and what a config file says of single layers.
#ifndef OPKIT_QUANTIZE_OPTIONS_H_
#define OPKIT_QUANTIZE_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::quantize {

// How the range of an activation comes out of the values that were seen.
enum class RangeMethod : uint8_t {
  kMinMax,         // the smallest and the largest value
  kMovingAverage,  // averages the samples' smallest and largest values, the later ones count more
  kPercentile,     // what a share of the values stays within
  kDivergence,     // the least Kullback-Leibler divergence
};
// How the scale of a channel of weights comes out of them.
enum class WeightMethod : uint8_t { kMinMax, kSquaredError };

// Where int8 goes on between layers.
enum class Between : uint8_t {
  kNothing,  // only what layers read is quantized
  kChains,   // sums, pools, concats and changes of shape between layers, too
};

const std::vector<std::string>& range_method_names();   // returns them by the number of the method
const std::vector<std::string>& weight_method_names();  // likewise
std::string_view name_of(RangeMethod method);
std::string_view name_of(WeightMethod method);

// What one layer, or every other one, is quantized with.
struct LayerOptions {
  RangeMethod activation = RangeMethod::kMinMax;
  WeightMethod weights = WeightMethod::kSquaredError;
  double percentile = 99.99;
  bool asymmetric = false;
  bool skip = false;
};

struct QuantizeOptions {
  LayerOptions common;
  std::map<std::string, LayerOptions> layers;  // complete
  size_t bins = 2048;
  Between between = Between::kChains;

  const LayerOptions& of(const std::string& layer) const {
    const auto found = layers.find(layer);
    return found == layers.end() ? common : found->second;
  }
};

// Reads a config file over what the command line says. `layers`: those that the model has. Errors:
// those of reading; OPK-QUANT-005 a layer that the model has not; OPK-QUANT-006 an option or a
// value that there is not.
Status read_config(const std::filesystem::path& file, const std::vector<std::string>& layers,
                   QuantizeOptions& options);
// Error: OPK-QUANT-005.
Status check_layer(const std::string& name, const std::vector<std::string>& layers,
                   const std::string& source);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_OPTIONS_H_
