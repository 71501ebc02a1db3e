// Modelled times of a model's layers on a chip, in int8, float16 and float32.
#ifndef OPKIT_CLI_MODELS_LAYER_TIMES_H_
#define OPKIT_CLI_MODELS_LAYER_TIMES_H_

#include <array>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/quantize/mix.h"
#include "opkit/quantize/quantize_model.h"

namespace opkit::cli {

// One of three compilations: the model as it is, with every op in float16, and the int8 model with
// the rest in float16.
struct TimedModel {
  std::string refused;  // why there is no time, or empty
  double total = 0;     // nanoseconds
  // Sums for each layer the steps that hold it; kNever where the host has it.
  std::vector<double> layers;
  std::vector<std::string> takers;  // the ops of these steps
  double conversions = 0;           // sums the steps that only quantize, dequantize or cast
  size_t conversion_steps = 0, host_steps = 0;
};

struct LayerTimes {
  std::string soc;
  std::array<TimedModel, quantize::kKinds> models;  // are numbered by their kind
  // Holds for each layer what it takes to convert the data that it reads.
  std::vector<double> turns;
};

// Returns the modelled time of each layer; `plain` and `int8` are the bytes of the models. Errors:
// a chip that there is not; those of the registry. What cannot be compiled is noted in its place.
Result<LayerTimes> layer_times(const std::string& plain, const std::string& int8,
                               const quantize::Walk& walk, const quantize::Int8Model& quantization,
                               const Arguments& arguments, Console& console);

// Modelled time of a model of which some layers are int8 and the rest float16; kNever where it
// cannot be compiled.
Result<double> whole_time(const std::string& bytes, const quantize::Walk& walk,
                          const std::set<std::string>& in_single, const Arguments& arguments,
                          Console& console);

// Returns what stands against int8 where it is less than a tenth faster than float16; empty where
// it is.
std::vector<std::string> advice(const LayerTimes& times, const quantize::Int8Model& quantization);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_LAYER_TIMES_H_
