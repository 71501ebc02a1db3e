#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/optimize/optimize.h"
#include "opkit/base/json.h"

namespace opkit::optimize {
namespace {

double us(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

std::string compared_text(const SameOnData& same) {
  if (!same.skipped.empty()) return "not compared on data: " + same.skipped;
  if (same.worst == 0) return "the same on data";
  return fmt::format("the same on data within {:.0e}", same.worst);
}

// Tells the gain of a step alone: the first of two that pay together has none.
std::string step_line(const TakenStep& step) {
  const double gain = us(step.before) - us(step.after);
  const std::string gained =
      gain == 0 ? "with the next step"
                : fmt::format("{:.1f} -> {:.1f} us, {:.1f} % less", us(step.before), us(step.after),
                              100 * gain / us(step.before));
  const std::string more = step.places > 1 ? fmt::format(" and {} like it", step.places - 1) : "";
  return fmt::format("  {} at '{}'{}: {}; {}\n", step.step.variant, step.step.places[0], more,
                     gained, compared_text(step.same));
}

std::string left_line(const Tally& tally) {
  if (tally.places == 0) return "";
  std::string text = fmt::format("  {}: {} places left", tally.variant, tally.places);
  if (!tally.best_left) return text + ", not tried\n";
  const double gain = static_cast<double>(*tally.best_left) / 1e3;
  if (gain < 0) return text + fmt::format(", the best costs {:.1f} us more\n", -gain);
  return text + (gain == 0 ? ", the best changes nothing\n"
                           : fmt::format(", the best gains {:.1f} us, and was not taken\n", gain));
}

// Returns the bound's larger part.
std::string bound_by(const ModelBound& bound) {
  return bound.memory_ns > bound.cube_ns ? "reading weights from memory once"
                                         : "multiply-adds at the cube unit's peak";
}

std::string bound_line(const Optimized& optimized) {
  const uint64_t bound = optimized.bound.ns(), best = optimized.found.best;
  const WhatIsLeft& left = optimized.left;
  std::string text = fmt::format(
      "  bound: {:.1f} us ({}), {:.1f} times less; the starts of {} launches take {:.1f} us\n",
      us(bound), bound_by(optimized.bound), us(best) / us(std::max<uint64_t>(bound, 1)),
      left.launches, us(left.starts_ns));
  text += fmt::format(
      "  these launches at their own bounds: {:.1f} us; {} of them wait for each other, merging "
      "others gains at most {:.1f} us; values between launches kept in L2 at most {:.1f} us\n",
      us(left.floor_ns), left.in_a_row, us(left.beside_ns), us(left.resident_ns));
  return text;
}

}  // namespace

std::string optimized_text(const Optimized& optimized) {
  const FoundSteps& found = optimized.found;
  std::string text = fmt::format(
      "optimize: {} of at most {} covers tried (seed {}), {} steps taken; {:.1f} us in place of "
      "{:.1f} us\n",
      found.tried, optimized.limits.most, optimized.limits.seed, found.taken.size(), us(found.best),
      us(found.plain));
  for (const TakenStep& step : found.taken) text += step_line(step);
  text += bound_line(optimized);
  for (const Tally& tally : found.tallies) text += left_line(tally);
  if (found.untried > 0)
    text +=
        fmt::format("  {} kinds of places were not tried: raise --optimize-most\n", found.untried);
  return text;
}

namespace {

Json steps_json(const FoundSteps& found) {
  Json list = Json::array();
  for (const TakenStep& step : found.taken) {
    list.push_back(
        {{"rewrite", step.step.variant},
         {"places", step.step.places},
         {"changed", step.places},
         {"before_ns", step.before},
         {"after_ns", step.after},
         {"compared_values", step.same.values},
         {"distance", step.same.worst},
         {"not_compared", step.same.skipped.empty() ? Json() : Json(step.same.skipped)}});
  }
  return list;
}

Json left_json(const FoundSteps& found) {
  Json list = Json::array();
  for (const Tally& tally : found.tallies) {
    list.push_back({{"rewrite", tally.variant},
                    {"places", tally.places},
                    {"tried", tally.tried},
                    {"taken", tally.taken},
                    {"best_left_ns", tally.best_left ? Json(*tally.best_left) : Json()}});
  }
  return list;
}

}  // namespace

Json optimized_json(const Optimized& optimized) {
  const FoundSteps& found = optimized.found;
  return {{"seed", optimized.limits.seed},
          {"most", optimized.limits.most},
          {"tried", found.tried},
          {"untried", found.untried},
          {"plain_ns", found.plain},
          {"best_ns", found.best},
          {"bound_ns", optimized.bound.ns()},
          {"bound_memory_ns", optimized.bound.memory_ns},
          {"bound_cube_ns", optimized.bound.cube_ns},
          {"launches", optimized.left.launches},
          {"launches_in_a_row", optimized.left.in_a_row},
          {"floor_ns", optimized.left.floor_ns},
          {"merging_most_ns", optimized.left.beside_ns},
          {"residency_most_ns", optimized.left.resident_ns},
          {"starts_ns", optimized.left.starts_ns},
          {"steps", steps_json(found)},
          {"rewrites", left_json(found)}};
}

}  // namespace opkit::optimize
