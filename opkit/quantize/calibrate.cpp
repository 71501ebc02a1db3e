#include "opkit/quantize/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "opkit/base/counted.h"
#include "opkit/quantize/codes.h"

namespace opkit::quantize {
namespace {

using graph::RefTensor;

// How much of the moving average the next sample leaves.
constexpr double kMomentum = 0.9;
// The share of an input's values at one of its extremes above which it was cut off there.
constexpr double kSaturated = 0.02;

// Counts the extremes' values again where they move.
void add_extreme(double low, double high, uint64_t at_low, uint64_t at_high, bool first,
                 double before_low, double before_high, SeenValue& seen) {
  if (first || low < before_low)
    seen.at_low = at_low;
  else if (low == before_low)
    seen.at_low += at_low;
  if (first || high > before_high)
    seen.at_high = at_high;
  else if (high == before_high)
    seen.at_high += at_high;
}

void look_at_channels(const RefTensor& tensor, SeenValue& seen) {
  if (tensor.shape.rank() < 2 || tensor.elements() == 0) return;
  const int64_t channels = tensor.shape[1];
  const int64_t inner = tensor.elements() / tensor.shape[0] / channels;
  seen.lows.assign(static_cast<size_t>(channels), INFINITY);
  seen.highs.assign(static_cast<size_t>(channels), -INFINITY);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const auto c = static_cast<size_t>(i / inner % channels);
    seen.lows[c] = std::min(seen.lows[c], tensor[i]);
    seen.highs[c] = std::max(seen.highs[c], tensor[i]);
  }
}

// Says whether float32 holds it: what is computed in double reaches further.
bool is_single(double value) { return std::abs(value) <= std::numeric_limits<float>::max(); }

SeenValue look_at(const RefTensor& tensor, size_t bins) {
  SeenValue seen(bins);
  for (const double value : tensor.values) seen.not_finite += !is_single(value);
  if (seen.not_finite > 0) return seen;
  seen.histogram.add(tensor.values);
  const double low = seen.histogram.lowest(), high = seen.histogram.highest();
  for (const double value : tensor.values) {
    seen.at_low += value == low;
    seen.at_high += value == high;
  }
  look_at_channels(tensor, seen);
  return seen;
}

void join(SeenValue next, size_t sample, SeenValue& seen) {
  const Histogram& one = next.histogram;
  const bool first = seen.histogram.total() == 0;
  add_extreme(one.lowest(), one.highest(), next.at_low, next.at_high, first,
              seen.histogram.lowest(), seen.histogram.highest(), seen);
  seen.histogram.add(one);
  seen.extremes[sample] = {one.lowest(), one.highest()};
  if (seen.lows.empty()) {
    seen.lows = std::move(next.lows);
    seen.highs = std::move(next.highs);
    return;
  }
  for (size_t c = 0; c < std::min(seen.lows.size(), next.lows.size()); ++c) {
    seen.lows[c] = std::min(seen.lows[c], next.lows[c]);
    seen.highs[c] = std::max(seen.highs[c], next.highs[c]);
  }
}

size_t constant_channels(const SeenValue& seen) {
  size_t count = 0;
  for (size_t c = 0; c < seen.lows.size(); ++c) count += seen.lows[c] == seen.highs[c];
  return count;
}

Error not_covered(std::string what, std::string action) {
  Error warning(kNotCovered, std::move(what), std::move(action));
  warning.severity = Severity::kWarning;
  return warning;
}

void tell_saturated(const std::string& name, const SeenValue& seen, Errors& warnings) {
  const auto total = static_cast<double>(seen.histogram.total());
  for (const bool low : {true, false}) {
    const double share = static_cast<double>(low ? seen.at_low : seen.at_high) / total;
    const double at = low ? seen.histogram.lowest() : seen.histogram.highest();
    if (share <= kSaturated || seen.histogram.lowest() == seen.histogram.highest() || at == 0)
      continue;
    warnings.push_back(not_covered(
        fmt::format("{:.1f} % of the values of the input '{}' are its {} value {:.6g}: the data "
                    "seem to be cut off there",
                    100 * share, name, low ? "smallest" : "largest", at),
        "see whether the preparation of the data clips them"));
  }
}

// Values with channels that never change, in one sentence.
void tell_constant(const SeenValues& all, Errors& warnings) {
  std::string examples;
  size_t values = 0;
  for (const auto& [name, seen] : all) {
    const size_t constant = constant_channels(seen);
    if (constant == 0 || seen.histogram.total() <= seen.lows.size()) continue;
    if (++values <= 3)
      examples += fmt::format("{}'{}' ({} of {})", examples.empty() ? "" : ", ", name, constant,
                              counted(seen.lows.size(), "channel"));
  }
  if (values == 0) return;
  warnings.push_back(
      not_covered(fmt::format("{} with channels that had the same value in all data: {}{}",
                              counted(values, "tensor"), examples, values > 3 ? " ..." : ""),
                  "add data in which they change, if there are any: their ranges are not known"));
}

}  // namespace

Result<SeenValues> calibrate(const Walk& walk, const Samples& samples,
                             const std::vector<std::string>& values, size_t bins, unsigned threads,
                             const Advance& advance) {
  SeenValues all;
  for (const std::string& value : values) {
    all.emplace(value, SeenValue(bins)).first->second.extremes.resize(samples.count());
  }
  std::mutex lock;
  size_t done = 0;
  Status status = in_threads(samples.count(), threads, [&](size_t sample) -> Status {
    OPKIT_TRY(const auto inputs, samples.named(sample));
    OPKIT_CHECK(walk.run(inputs, [&](const std::string& name, const RefTensor& tensor) -> Status {
      const auto found = all.find(name);
      if (found == all.end()) return {};
      SeenValue seen = look_at(tensor, bins);
      if (seen.not_finite > 0)
        return Error(
            kNotFinite,
            fmt::format("in sample {} the value '{}' has {} that are not finite in float32", sample,
                        name, counted(seen.not_finite, "element")),
            "leave out the sample, or correct the model");
      const std::lock_guard guard(lock);
      join(std::move(seen), sample, found->second);
      return {};
    }));
    const std::lock_guard guard(lock);
    advance(++done);
    return {};
  });
  if (!status.ok()) return std::move(status).error();
  return all;
}

ValueRange range_of(const SeenValue& seen, const LayerOptions& options) {
  const Histogram& histogram = seen.histogram;
  ValueRange range{histogram.lowest(), histogram.highest()};
  switch (options.activation) {
    case RangeMethod::kMinMax: break;
    case RangeMethod::kMovingAverage: {
      range = {seen.extremes[0].first, seen.extremes[0].second};
      for (size_t i = 1; i < seen.extremes.size(); ++i) {
        range.low = kMomentum * range.low + (1 - kMomentum) * seen.extremes[i].first;
        range.high = kMomentum * range.high + (1 - kMomentum) * seen.extremes[i].second;
      }
      break;
    }
    case RangeMethod::kPercentile: {
      const auto [low, high] = histogram.range_within(options.percentile / 100);
      const double bound = histogram.magnitude_within(options.percentile / 100);
      range = options.asymmetric ? ValueRange{low, high} : ValueRange{-bound, bound};
      break;
    }
    case RangeMethod::kDivergence: {
      const double bound = histogram.magnitude_of_least_divergence(128);
      range = {std::max(range.low, -bound), std::min(range.high, bound)};
      break;
    }
  }
  return {std::min(range.low, 0.0), std::max(range.high, 0.0)};
}

Errors not_covered(const SeenValues& seen, const std::vector<std::string>& inputs, size_t samples) {
  Errors warnings;
  if (samples == 1)
    warnings.push_back(not_covered("the data hold one sample: its ranges are those of the model",
                                   "give some dozens that are like those of use"));
  for (const std::string& input : inputs) {
    const auto found = seen.find(input);
    if (found == seen.end()) continue;
    const Histogram& histogram = found->second.histogram;
    if (histogram.total() > 1 && histogram.lowest() == histogram.highest())
      warnings.push_back(not_covered(
          fmt::format("the input '{}' is {:.6g} everywhere in all data", input, histogram.lowest()),
          "give data of use"));
    tell_saturated(input, found->second, warnings);
  }
  tell_constant(seen, warnings);
  return warnings;
}

}  // namespace opkit::quantize
