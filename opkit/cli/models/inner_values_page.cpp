// The page of opkit model compare. Names come from models: every text is escaped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/base/markup.h"
#include "opkit/cli/models/inner_values_text.h"

namespace opkit::cli {
namespace {

using quantize::ComparedValue;
using quantize::Distance;
using quantize::ModelComparison;

constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25rem .6rem; text-align: left;
  border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.carried { fill: none; stroke: #4a8fd6; stroke-width: 2; } .added { fill: #d9822b; }
.grid { stroke: #8884; } .dim { opacity: .7; }
)css";

// The plot shows noise from the size of the signal (0 dB) down to a millionth of a millionth.
constexpr double kFloor = 120, kWide = 1000, kHigh = 320, kLeft = 60, kTop = 16, kBottom = 26;

// Noise below the signal in decibels, kept inside the plot.
double depth_of(const Distance& distance) {
  const double value = distance.decibels();
  if (std::isnan(value)) return 0;
  return std::clamp(value, 0.0, kFloor);
}

double place_of(double decibels) { return kTop + decibels / kFloor * (kHigh - kTop - kBottom); }

std::string grid() {
  std::string svg;
  for (int decibels = 0; decibels <= static_cast<int>(kFloor); decibels += 20) {
    const double y = place_of(decibels);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/><text x=\"{}\" "
        "y=\"{:.1f}\" text-anchor=\"end\">{} dB</text>\n",
        kLeft, y, kWide, y, kLeft - 6, y + 4, decibels);
  }
  return svg;
}

// Bars: what each layer adds. The line: what its results carry.
std::string plot(const ModelComparison& comparison) {
  const size_t count = comparison.values.size();
  const double step = (kWide - kLeft) / static_cast<double>(std::max<size_t>(count, 1));
  std::string bars, line;
  for (size_t i = 0; i < count; ++i) {
    const ComparedValue& value = comparison.values[i];
    const double x = kLeft + static_cast<double>(i) * step;
    line += fmt::format("{:.1f},{:.1f} ", x + step / 2, place_of(depth_of(value.carried)));
    if (value.added_share() <= 0) continue;
    const double top = place_of(depth_of(*value.added));
    bars += fmt::format(
        "<rect class=\"added\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{}: adds {:.1f} dB, carries {:.1f} dB</title></rect>\n",
        x, top, std::max(step * 0.8, 1.0), kHigh - kBottom - top, markup_text(layer_of(value)),
        value.added->decibels(), value.carried.decibels());
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\">\n{}{}<polyline class=\"carried\" points=\"{}\"/>\n"
      "<text x=\"{}\" y=\"{}\">first value</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">last "
      "value</text></svg>\n",
      kWide, kHigh, grid(), bars, line, kLeft, kHigh - 6, kWide, kHigh - 6);
}

std::string ranking_row(const ComparedValue& value, size_t place) {
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.1f}</td><td class=\"n\">{:.1f}</td>"
      "<td class=\"n\">{:.6f}</td><td class=\"n\">{:.3g}</td><td class=\"n\">{:.3g}</td><td "
      "class=\"n\">{:.3g}</td><td class=\"n\">{:.3g}</td></tr>\n",
      place, markup_text(layer_of(value)), value.added->decibels(), value.carried.decibels(),
      value.carried.cosine(), value.carried.largest, value.carried.mean(), 100 * value.saturated,
      100 * value.carried.dead_share());
}

std::string scores_of(const ModelComparison& comparison) {
  std::string text;
  for (const auto& [output, scores] : comparison.scores) {
    text += fmt::format("<p>{}: the same first class in {} of {} rows, among five in {}.",
                        markup_text(output), scores.same, scores.rows, scores.in_five);
    if (scores.labelled > 0)
      text += fmt::format(" Right: {} and {} of {} labels, among five {} and {}.", scores.right_a,
                          scores.right_b, scores.labelled, scores.five_a, scores.five_b);
    text += "</p>\n";
  }
  return text;
}

}  // namespace

std::string inner_values_page(const ModelComparison& comparison, const ComparedFiles& files) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0} beside {1}</title>\n<style>{2}</style></head>\n"
      "<body>\n<h1>{0} beside {1}</h1>\n<p>{3} values on {4} samples; {5} and {6} have no "
      "partner.</p>\n",
      markup_text(files.a), markup_text(files.b), kPageStyle, comparison.values.size(),
      comparison.samples, comparison.only_a, comparison.only_b);
  page += scores_of(comparison);
  page +=
      "<h2>Error along the network</h2>\n<p class=\"dim\">Signal to noise in decibels, 0 dB: the "
      "noise is as large as the signal. Bars: what a layer adds when both models give it the same "
      "values. Line: what its result carries.</p>\n";
  page += plot(comparison);
  page +=
      "<h2>Layers by the error that they add</h2>\n<table><tr><th class=\"n\"></th><th>layer</th>"
      "<th class=\"n\">adds, dB</th><th class=\"n\">carries, dB</th><th class=\"n\">cosine</th><th "
      "class=\"n\">largest</th><th class=\"n\">mean</th><th class=\"n\">at the ends, %</th><th "
      "class=\"n\">dead, %</th></tr>\n";
  size_t place = 0;
  for (const size_t n : comparison.ranking()) page += ranking_row(comparison.values[n], ++place);
  return page + "</table>\n</body></html>\n";
}

}  // namespace opkit::cli
