#include "opkit/cli/measure/samples.h"
#include "opkit/cli/options/threads_flag.h"

#include <algorithm>
#include <cmath>

namespace opkit::cli {
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

std::vector<Flag> sample_flags() {
  return {{.name = "--warm",
           .value = "N",
           .help = "launches before those that count",
           .integer = true,
           .most = 100000,
           .preset = "3"},
          {.name = "--samples",
           .value = "N",
           .help = "launches that count",
           .integer = true,
           .least = 1,
           .most = 1000000,
           .preset = "50"},
          threads_flag()};
}

}  // namespace opkit::cli
