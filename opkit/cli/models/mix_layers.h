// opkit quantize --budget: the fastest types of layers that lose no more than is allowed.
#ifndef OPKIT_CLI_MODELS_MIX_LAYERS_H_
#define OPKIT_CLI_MODELS_MIX_LAYERS_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/cli/models/layer_times.h"
#include "opkit/quantize/sensitivity.h"

namespace opkit::cli {

// "top1=0.5%": rows of scores whose first class may change; "sqnr=30": decibels of every output.
struct LossBudget {
  bool top1 = false;
  double most = 0;  // share of rows, or noise as a share of the signal
  std::string text;
};
// Error: OPK-CLI-004.
Result<LossBudget> parse_budget(const std::string& text);

// What a mix loses on the samples.
struct Measured {
  double changed = 0;  // share of rows with another first class
  double noise = 0;    // measures the output that suffers most
  bool has_scores = false;
  bool has_floats = false;  // some output's noise was measured
};
using Measure = std::function<Result<Measured>(const std::vector<quantize::Kind>&)>;

struct ChosenMix {
  quantize::Front front;
  size_t chosen = 0;  // is the place in front.mixes
  Measured measured;
  size_t tried = 0;  // mixes that were measured
  quantize::MixProblem problem;
};

quantize::MixProblem mix_problem(const LayerTimes& times, const quantize::LayerNoise& noise,
                                 const std::vector<std::pair<size_t, size_t>>& edges);

// Returns the fastest mix of the front that keeps the budget where it is measured. Errors:
// OPK-QUANT-014 the slowest one does not either, or no output holds scores.
Result<ChosenMix> choose_mix(quantize::MixProblem problem, const LossBudget& budget, uint32_t seed,
                             const Measure& measure);

Json mix_json(const ChosenMix& mix, const quantize::Int8Model& quantization);
std::string mix_text(const ChosenMix& mix, const quantize::Int8Model& quantization);
// Returns the curve of error against time, as a page.
std::string mix_page(const ChosenMix& mix, const quantize::Int8Model& quantization,
                     const std::string& model, const std::string& soc);

Json times_json(const LayerTimes& times, const quantize::Int8Model& quantization);
std::string times_text(const LayerTimes& times);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_MIX_LAYERS_H_
