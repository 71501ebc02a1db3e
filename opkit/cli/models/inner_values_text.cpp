#include "opkit/cli/models/inner_values_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/base/counted.h"
#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

using quantize::Agreement;
using quantize::ComparedValue;
using quantize::Distance;
using quantize::ModelComparison;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json distance_json(const Distance& distance) {
  return {{"sqnr", number_or_null(distance.decibels())},
          {"cosine", distance.cosine()},
          {"largest", distance.largest},
          {"mean", distance.mean()},
          {"dead", distance.dead_share()},
          {"not_finite", distance.odd}};
}

std::string decibels_text(const Distance& distance) {
  const double value = distance.decibels();
  if (distance.odd > 0) return "not finite";
  if (std::isinf(value)) return value > 0 ? "equal" : "no signal";
  return fmt::format("{:.1f} dB", value);
}

std::string share_text(double share) {
  return share == 0 ? "0" : fmt::format("{:.2g} %", 100 * share);
}

double part(uint64_t some, uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

Json scores_json(const Agreement& scores) {
  Json json{{"rows", scores.rows},
            {"top1_agreement", part(scores.same, scores.rows)},
            {"top5_agreement", part(scores.in_five, scores.rows)},
            {"rows_with_nan", scores.unordered}};
  if (scores.labelled > 0)
    json.update({{"labelled", scores.labelled},
                 {"top1_a", part(scores.right_a, scores.labelled)},
                 {"top1_b", part(scores.right_b, scores.labelled)},
                 {"top5_a", part(scores.five_a, scores.labelled)},
                 {"top5_b", part(scores.five_b, scores.labelled)}});
  return json;
}

std::string scores_text(const std::string& output, const Agreement& scores) {
  std::string text = fmt::format(
      "{}: the same first class in {} of {} ({:.2f} %), among five in {}\n", output, scores.same,
      counted(scores.rows, "row"), 100 * part(scores.same, scores.rows), scores.in_five);
  if (scores.unordered > 0)
    text += fmt::format(
        "{}: {} a NaN: no first class\n", output,
        scores.unordered == 1 ? "1 row holds" : fmt::format("{} rows hold", scores.unordered));
  if (scores.labelled > 0)
    text += fmt::format(
        "{}: right in {:.2f} % and {:.2f} % of {}, among five in {:.2f} % and {:.2f} %\n", output,
        100 * part(scores.right_a, scores.labelled), 100 * part(scores.right_b, scores.labelled),
        counted(scores.labelled, "label"), 100 * part(scores.five_a, scores.labelled),
        100 * part(scores.five_b, scores.labelled));
  return text;
}

std::string outputs_text(const ModelComparison& comparison) {
  std::string text;
  for (const std::string& output : comparison.outputs) {
    const ComparedValue* value = comparison.find(output);
    if (value == nullptr) continue;
    text += fmt::format("output {}: {}, cosine {:.6f}, largest error {:.3g}, mean {:.3g}\n", output,
                        decibels_text(value->carried), value->carried.cosine(),
                        value->carried.largest, value->carried.mean());
  }
  for (const auto& [output, scores] : comparison.scores) text += scores_text(output, scores);
  return text;
}

}  // namespace

std::string layer_of(const ComparedValue& value) {
  return fmt::format("{} ({})", value.a.node, value.a.op_type);
}

Json inner_values_json(const ModelComparison& comparison, const ComparedFiles& files) {
  Json values = Json::array(), ranking = Json::array(), scores = Json::object();
  for (const ComparedValue& value : comparison.values) {
    Json one{{"value", value.a.value},
             {"other_value", value.b.value},
             {"matched", value.matched == quantize::Matched::kByName ? "name" : "place"},
             {"layer", value.a.node},
             {"op", value.a.op_type},
             {"other_op", value.b.op_type},
             {"carried", distance_json(value.carried)},
             {"saturated", value.saturated}};
    if (value.added) one["added"] = distance_json(*value.added);
    values.push_back(std::move(one));
  }
  for (const size_t n : comparison.ranking()) ranking.push_back(comparison.values[n].a.node);
  for (const auto& [output, one] : comparison.scores) scores[output] = scores_json(one);
  return {{"a", files.a},
          {"b", files.b},
          {"samples", comparison.samples},
          {"values", values},
          {"only_a", comparison.only_a},
          {"only_b", comparison.only_b},
          {"ranking", ranking},
          {"scores", scores}};
}

std::string inner_values_text(const ModelComparison& comparison, size_t rows,
                              const Palette& palette) {
  const std::vector<size_t> ranking = comparison.ranking();
  const size_t shown = rows == 0 ? ranking.size() : std::min(rows, ranking.size());
  Table table(
      {">", "layer", ">adds", ">carries", ">cosine", ">largest", ">mean", ">at the ends", ">dead"});
  for (size_t i = 0; i < shown; ++i) {
    const ComparedValue& value = comparison.values[ranking[i]];
    table.add({std::to_string(i + 1), layer_of(value), decibels_text(*value.added),
               decibels_text(value.carried), fmt::format("{:.5f}", value.carried.cosine()),
               fmt::format("{:.3g}", value.carried.largest),
               fmt::format("{:.3g}", value.carried.mean()), share_text(value.saturated),
               share_text(value.carried.dead_share())});
  }
  std::string text = shown > 0 ? table.to_string(palette) : "";
  if (shown < ranking.size())
    text +=
        fmt::format("and {} more (--rows 0 shows all)\n", counted(ranking.size() - shown, "layer"));
  if (ranking.empty()) text += "no layer adds any error that can be told apart\n";
  const auto by_place = std::count_if(
      comparison.values.begin(), comparison.values.end(),
      [](const ComparedValue& one) { return one.matched == quantize::Matched::kByPlace; });
  text += fmt::format("{} compared, {} of them by place; {} and {} have no partner; {}\n",
                      counted(comparison.values.size(), "value"), by_place, comparison.only_a,
                      comparison.only_b, counted(comparison.samples, "sample"));
  return text + outputs_text(comparison);
}

}  // namespace opkit::cli
