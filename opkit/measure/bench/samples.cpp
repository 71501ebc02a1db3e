#include "opkit/measure/bench/samples.h"

#include <algorithm>
#include <cmath>

namespace opkit::measure {
namespace {

double rank(const std::vector<double>& sorted, double share) {
  const double place = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<size_t>(std::max(place, 1.0)) - 1];
}

}  // namespace

SampleSummary summary_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  SampleSummary summary;
  summary.count = samples.size();
  const auto count = static_cast<double>(samples.size());
  for (const double sample : samples) summary.mean += sample / count;
  double squares = 0;
  for (const double sample : samples) squares += (sample - summary.mean) * (sample - summary.mean);
  summary.deviation = samples.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  summary.cv = summary.mean > 0 ? summary.deviation / summary.mean : 0;
  summary.least = samples.front();
  summary.most = samples.back();
  summary.p50 = rank(samples, 0.5);
  summary.p95 = rank(samples, 0.95);
  summary.p99 = rank(samples, 0.99);
  return summary;
}

}  // namespace opkit::measure
