#include "opkit/cli/models/mix_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "opkit/base/markup.h"
#include "opkit/quantize/codes.h"

namespace opkit::cli {
namespace {

using quantize::Front;
using quantize::Int8Model;
using quantize::Kind;
using quantize::kNever;
using quantize::LayerNoise;
using quantize::Mix;
using quantize::MixProblem;

bool keeps(const Measured& measured, const LossBudget& budget) {
  return (budget.top1 ? measured.changed : measured.noise) <= budget.most;
}

double decibels(double noise) { return noise > 0 ? -10 * std::log10(noise) : INFINITY; }

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string in_microseconds(double nanoseconds) {
  return std::isfinite(nanoseconds) ? fmt::format("{:.1f} us", nanoseconds / 1e3) : "never";
}

std::array<size_t, quantize::kKinds> counts_of(const Mix& mix) {
  std::array<size_t, quantize::kKinds> counts = {};
  for (const Kind kind : mix.kinds) ++counts[static_cast<size_t>(kind)];
  return counts;
}

std::string counts_text(const Mix& mix) {
  const auto counts = counts_of(mix);
  return fmt::format("{} int8, {} float16, {} float32", counts[0], counts[1], counts[2]);
}

Error over_budget(std::string what, std::string action) {
  return Error(quantize::kOverBudget, std::move(what), std::move(action));
}

constexpr const char* kMixStyle = R"css(
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .6rem; text-align: left;
  border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.curve { fill: none; stroke: #4a8fd6; stroke-width: 2; } .chosen { fill: #d9822b; }
)css";

// Signal to noise against time; the chosen mix is a dot.
std::string curve(const ChosenMix& mix) {
  constexpr double kWide = 900, kHigh = 320, kEdge = 50, kMost = 120;
  const auto& mixes = mix.front.mixes;
  const double first = mixes.front().time, last = std::max(mixes.back().time, first + 1);
  const auto x = [&](const Mix& one) {
    return kEdge + (one.time - first) / (last - first) * (kWide - 2 * kEdge);
  };
  const auto y = [&](const Mix& one) {
    const double value = std::clamp(decibels(one.noise), 0.0, kMost);
    return kHigh - kEdge - value / kMost * (kHigh - 2 * kEdge);
  };
  std::string points;
  for (const Mix& one : mixes) points += fmt::format("{:.1f},{:.1f} ", x(one), y(one));
  const Mix& chosen = mixes[mix.chosen];
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" role=\"img\"><polyline class=\"curve\" points=\"{2}\"/>"
      "<circle class=\"chosen\" cx=\"{3:.1f}\" cy=\"{4:.1f}\" r=\"6\"/><text x=\"{5}\" y=\"{6}\">"
      "{7}</text><text x=\"{8}\" y=\"{6}\" text-anchor=\"end\">{9}</text><text x=\"4\" "
      "y=\"{10}\">120 dB</text><text x=\"4\" y=\"{11}\">0 dB</text></svg>\n",
      kWide, kHigh, points, x(chosen), y(chosen), kEdge, kHigh - 12, in_microseconds(first),
      kWide - kEdge, in_microseconds(last), kEdge + 4, kHigh - kEdge);
}

}  // namespace

Result<LossBudget> parse_budget(const std::string& text) {
  const auto bad = [&] {
    return Error("OPK-CLI-004", fmt::format("--budget is '{}'", text),
                 "write top1=0.5% (rows that may change their first class) or sqnr=30 (decibels)");
  };
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return bad();
  const std::string name = text.substr(0, equals);
  std::string number = text.substr(equals + 1);
  const bool per_cent = number.ends_with('%');
  if (per_cent) number.pop_back();
  double value = 0;
  const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (code != std::errc() || stop != number.data() + number.size()) return bad();
  if (name == "top1" && per_cent && value >= 0 && value <= 100)
    return LossBudget{true, value / 100, text};
  if (name == "sqnr" && !per_cent && value >= 0 && value <= 200)
    return LossBudget{false, std::pow(10, -value / 10), text};
  return bad();
}

MixProblem mix_problem(const LayerTimes& times, const LayerNoise& noise,
                       const std::vector<std::pair<size_t, size_t>>& edges) {
  MixProblem problem;
  for (size_t i = 0; i < noise.size(); ++i) {
    quantize::MixLayer layer;
    layer.noise = noise[i];
    for (size_t k = 0; k < quantize::kKinds; ++k)
      layer.time[k] = times.models[k].refused.empty() ? times.models[k].layers[i] : kNever;
    // Somebody must compute it: where the chip has no type for it, its time is the same in all.
    if (std::none_of(layer.time.begin(), layer.time.end(),
                     [](double time) { return std::isfinite(time); }))
      layer.time = {kNever, 0, 0};
    problem.layers.push_back(layer);
  }
  for (const auto& [from, to] : edges) problem.edges.push_back({from, to, times.turns[to]});
  return problem;
}

Result<ChosenMix> choose_mix(MixProblem problem, const LossBudget& budget, uint32_t seed,
                             const Measure& measure) {
  ChosenMix mix;
  mix.front = quantize::mix_front(problem, seed);
  mix.problem = std::move(problem);
  if (mix.front.mixes.empty())
    return over_budget("no layer has a modelled time on this chip", "install ops for it");
  const auto try_mix = [&](size_t n) -> Result<bool> {
    OPKIT_TRY(const Measured measured, measure(mix.front.mixes[n].kinds));
    ++mix.tried;
    if (budget.top1 && !measured.has_scores)
      return over_budget("no output of the model holds a row of scores per sample",
                         "give --budget sqnr=30");
    if (!budget.top1 && !measured.has_floats)
      return over_budget("no output of the model is a float that both models have",
                         "give --budget top1=1%, or a model whose outputs are floats");
    if (!keeps(measured, budget)) return false;
    mix.chosen = n;
    mix.measured = measured;
    return true;
  };
  // Searches for the fastest mix within the budget. Mixes lie from the fastest to the one with the
  // least error, so every step halves what is left.
  size_t low = 0, high = mix.front.mixes.size() - 1;
  OPKIT_TRY(const bool possible, try_mix(high));
  if (!possible)
    return over_budget(
        fmt::format("even the mix with the least error loses more than {}", budget.text),
        "allow more, or calibrate with other data or methods");
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    OPKIT_TRY(const bool good, try_mix(middle));
    if (good)
      high = middle;
    else
      low = middle + 1;
  }
  return mix;
}

Json mix_json(const ChosenMix& mix, const Int8Model& quantization) {
  Json layers = Json::array(), front = Json::array();
  const Mix& chosen = mix.front.mixes[mix.chosen];
  for (size_t i = 0; i < chosen.kinds.size(); ++i) {
    const auto& noise = mix.problem.layers[i].noise;
    const auto& time = mix.problem.layers[i].time;
    layers.push_back({{"layer", quantization.layers[i].layer.name},
                      {"type", quantize::name_of(chosen.kinds[i])},
                      {"noise_int8", finite_or_null(noise[0])},
                      {"noise_float16", finite_or_null(noise[1])},
                      {"ns_int8", finite_or_null(time[0])},
                      {"ns_float16", finite_or_null(time[1])},
                      {"ns_float32", finite_or_null(time[2])}});
  }
  for (const Mix& one : mix.front.mixes) {
    const auto counts = counts_of(one);
    front.push_back({{"ns", one.time},
                     {"noise", finite_or_null(one.noise)},
                     {"int8", counts[0]},
                     {"float16", counts[1]},
                     {"float32", counts[2]}});
  }
  return {{"layers", layers},
          {"ns", chosen.time},
          {"changed", mix.measured.changed},
          {"noise", finite_or_null(mix.measured.noise)},
          {"exact", mix.front.exact},
          {"measured_mixes", mix.tried},
          {"front", front}};
}

std::string mix_text(const ChosenMix& mix, const Int8Model& quantization) {
  const Mix& chosen = mix.front.mixes[mix.chosen];
  std::string text = fmt::format(
      "chosen of {} mixes ({}), {} of them measured: {}; {} in its layers, {:.1f} dB",
      mix.front.mixes.size(), mix.front.exact ? "all that are worth it" : "those that a search met",
      mix.tried, counts_text(chosen), in_microseconds(chosen.time), decibels(mix.measured.noise));
  if (mix.measured.has_scores)
    text += fmt::format(", {:.2f} % of rows with another first class", 100 * mix.measured.changed);
  text += '\n';
  for (size_t i = 0; i < chosen.kinds.size(); ++i) {
    if (chosen.kinds[i] != Kind::kInt8)
      text += fmt::format("{} in {}\n", quantization.layers[i].layer.name,
                          quantize::name_of(chosen.kinds[i]));
  }
  return text;
}

std::string mix_page(const ChosenMix& mix, const Int8Model& quantization, const std::string& model,
                     const std::string& soc) {
  const Mix& chosen = mix.front.mixes[mix.chosen];
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0} on {1}</title>"
      "<style>{2}</style></head><body>\n<h1>{0} on {1}</h1>\n<p>{3}</p>\n<h2>Error against time"
      "</h2>\n",
      markup_text(model), markup_text(soc), kMixStyle, counts_text(chosen));
  page += curve(mix);
  page +=
      "<table><tr><th>layer</th><th>type</th><th class=\"n\">int8, dB</th><th class=\"n\">float16, "
      "dB</th><th class=\"n\">int8</th><th class=\"n\">float16</th><th "
      "class=\"n\">float32</th></tr>";
  for (size_t i = 0; i < chosen.kinds.size(); ++i) {
    const quantize::MixLayer& layer = mix.problem.layers[i];
    page += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{:.1f}</td><td class=\"n\">{:.1f}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        markup_text(quantization.layers[i].layer.name), quantize::name_of(chosen.kinds[i]),
        decibels(layer.noise[0]), decibels(layer.noise[1]), in_microseconds(layer.time[0]),
        in_microseconds(layer.time[1]), in_microseconds(layer.time[2]));
  }
  return page + "</table></body></html>\n";
}

Json times_json(const LayerTimes& times, const Int8Model& quantization) {
  Json json{{"soc", times.soc}};
  for (const Kind kind : {Kind::kInt8, Kind::kHalf, Kind::kSingle}) {
    const TimedModel& model = times.models[static_cast<size_t>(kind)];
    if (!model.refused.empty()) {
      json[quantize::name_of(kind)] = {{"refused", model.refused}};
      continue;
    }
    Json layers = Json::object();
    for (size_t i = 0; i < model.layers.size(); ++i)
      layers[quantization.layers[i].layer.name] = {{"ns", finite_or_null(model.layers[i])},
                                                   {"by", model.takers[i]}};
    json[quantize::name_of(kind)] = {{"ns", model.total},
                                     {"conversion_steps", model.conversion_steps},
                                     {"conversions_ns", model.conversions},
                                     {"host_steps", model.host_steps},
                                     {"layers", layers}};
  }
  return json;
}

std::string times_text(const LayerTimes& times) {
  std::string text = "modelled on " + times.soc + ":";
  for (const Kind kind : {Kind::kSingle, Kind::kHalf, Kind::kInt8}) {
    const TimedModel& model = times.models[static_cast<size_t>(kind)];
    text += fmt::format(" {} {}{}", quantize::name_of(kind),
                        model.refused.empty() ? in_microseconds(model.total) : "none",
                        kind == Kind::kInt8 ? "" : ",");
  }
  return text + "\n";
}

}  // namespace opkit::cli
