#include "opkit/cli/models/quantize_for_chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "opkit/base/file.h"
#include "opkit/cli/models/mix_layers.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/graph/node_name.h"
#include "opkit/quantize/codes.h"

namespace opkit::cli {
namespace {

using quantize::Int8Model;
using quantize::Kind;
using quantize::Samples;
using quantize::Walk;

constexpr uint32_t kSeed = 1;

// Mixes of layers, measured on samples.
class Mixing {
 public:
  Mixing(const Walk& walk, const Int8Model& quantization, const Samples& samples,
         const Arguments& arguments, Console& console)
      : walk_(walk),
        quantization_(quantization),
        samples_(samples),
        most_(std::max<size_t>(1, static_cast<size_t>(arguments.integer("--check")))),
        threads_(static_cast<unsigned>(arguments.integer("--threads"))),
        console_(console) {}

  Result<quantize::LayerNoise> noise() {
    ProgressLine progress(console_, "layers alone");
    const size_t all = std::min(most_, samples_.count()) * quantization_.layers.size();
    return quantize::layer_noise(walk_, quantization_, samples_, most_, threads_,
                                 [&](size_t done) { progress.advance(done, all, "layers"); });
  }

  Result<Measured> measure(const std::vector<Kind>& kinds) {
    ProgressLine progress(console_, "mix");
    progress.step(fmt::format("measuring {} layers in int8",
                              std::count(kinds.begin(), kinds.end(), Kind::kInt8)));
    OPKIT_TRY(const graph::Graph graph, quantize::mixed_graph(walk_, quantization_, kinds));
    OPKIT_TRY(const Walk mixed, Walk::make(graph));
    OPKIT_TRY(const quantize::CheckedModel checked,
              quantize::check_model(walk_, mixed, samples_, most_, threads_, [](size_t) {}));
    Measured measured;
    measured.has_floats = !checked.outputs.empty();
    for (const auto& [output, distance] : checked.outputs)
      measured.noise = std::max(measured.noise, distance.relative());
    for (const auto& [output, scores] : checked.scores) {
      measured.has_scores = true;
      measured.changed = std::max(measured.changed,
                                  1 - static_cast<double>(scores.same) /
                                          static_cast<double>(std::max<uint64_t>(1, scores.rows)));
    }
    return measured;
  }

 private:
  const Walk& walk_;
  const Int8Model& quantization_;
  const Samples& samples_;
  const size_t most_;
  const unsigned threads_;
  Console& console_;
};

// A mix has no time where nothing can be compiled.
Status check_times(const LayerTimes& times) {
  for (const TimedModel& model : times.models) {
    if (model.refused.empty()) return {};
  }
  return Error(
      quantize::kOverBudget,
      fmt::format("the layers have no modelled time on {}: {}", times.soc, times.models[0].refused),
      "see to it that opkit atc compiles the model for this chip");
}

Result<ChosenMix> mix_for(const LayerTimes& times, const Walk& walk, const Int8Model& quantization,
                          const Samples& samples, const Arguments& arguments, Console& console) {
  Mixing mixing(walk, quantization, samples, arguments, console);
  OPKIT_CHECK(check_times(times));
  OPKIT_TRY(const LossBudget budget, parse_budget(arguments.get("--budget")));
  OPKIT_TRY(const quantize::LayerNoise noise, mixing.noise());
  return choose_mix(mix_problem(times, noise, quantize::layer_edges(walk, quantization)), budget,
                    kSeed, [&](const std::vector<Kind>& kinds) { return mixing.measure(kinds); });
}

// Returns a line for each layer that atc shall leave in float32.
std::string kept_layers(const Walk& walk, const Int8Model& quantization,
                        const std::vector<Kind>& kinds) {
  std::string lines;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == Kind::kSingle)
      lines += graph::name_of(walk.graph().nodes[quantization.layers[i].layer.node]) + "\n";
  }
  return lines;
}

}  // namespace

std::vector<Flag> chip_flags() {
  std::vector<Flag> flags = {
      soc_flag("tell modelled times of float32, float16 and int8 on this chip"),
      {.name = "--budget",
       .value = "LOSS",
       .help = "with --soc: the fastest mix of types that loses no more: top1=0.5% of rows, or "
               "sqnr=30 decibels at the outputs"},
      {.name = "--report",
       .value = "FILE",
       .help = "with --budget: write a page (HTML) with the curve of error against time",
       .complete = Complete::kFile}};
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back(opp_flag());
  return flags;
}

Status check_chip_flags(const Arguments& arguments) {
  if (arguments.has("--report") && !arguments.has("--budget"))
    return Error("OPK-CLI-003", "--report needs --budget", "add --budget sqnr=30");
  if (!arguments.has("--budget")) return {};
  OPKIT_TRY([[maybe_unused]] const LossBudget budget, parse_budget(arguments.get("--budget")));
  if (!arguments.has("--soc"))
    return Error("OPK-CLI-003", "--budget needs --soc", "name the chip whose time counts");
  if (arguments.integer("--check") == 0)
    return Error("OPK-CLI-003", "--budget and --check 0 do not go together",
                 "let --check say how many samples measure the loss");
  if (arguments.has("--data")) return {};
  return Error("OPK-CLI-003", "--budget needs --data", "give samples to measure the loss on");
}

Result<ForChip> quantize_for_chip(const std::string& plain, const std::string& int8,
                                  const Walk& walk, const Int8Model& quantization,
                                  const Samples* samples, const Arguments& arguments,
                                  Console& console) {
  ProgressLine progress(console, "atc");
  progress.step("compiling in float32, float16 and int8");
  OPKIT_TRY(const LayerTimes times,
            layer_times(plain, int8, walk, quantization, arguments, console));
  progress.finish();
  ForChip result;
  const std::vector<std::string> lines = advice(times, quantization);
  result.json = {{"times", times_json(times, quantization)}, {"advice", lines}};
  result.text = times_text(times);
  for (const std::string& line : lines) result.text += line + "\n";
  if (!arguments.has("--budget")) return result;
  OPKIT_TRY(const ChosenMix mix, mix_for(times, walk, quantization, *samples, arguments, console));
  const std::vector<Kind>& kinds = mix.front.mixes[mix.chosen].kinds;
  result.json["mix"] = mix_json(mix, quantization);
  result.text += mix_text(mix, quantization);
  if (const auto page = arguments.find("--report"))
    OPKIT_CHECK(write_file(
        *page, mix_page(mix, quantization, arguments.get("model"), arguments.get("--soc"))));
  const auto between = arguments.get("--between") == "none" ? quantize::Between::kNothing
                                                            : quantize::Between::kChains;
  result.mixed = quantize::int8_part(walk, quantization, kinds, between);
  result.keep_dtype = kept_layers(walk, quantization, kinds);
  return result;
}

}  // namespace opkit::cli
