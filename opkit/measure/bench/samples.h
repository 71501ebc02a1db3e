// What repeated measurements of one thing say.
#ifndef OPKIT_MEASURE_BENCH_SAMPLES_H_
#define OPKIT_MEASURE_BENCH_SAMPLES_H_

#include <cstddef>
#include <vector>

namespace opkit::measure {

struct SampleSummary {
  size_t count = 0;
  double mean = 0, p50 = 0, p95 = 0, p99 = 0, least = 0, most = 0;
  double deviation = 0;  // standard deviation of the samples
  double cv = 0;         // deviation over mean

  // Tells whether another program, or the clock of the machine, had a part in the figures.
  bool noisy() const { return cv > 0.15; }
};

// Percentiles are the nearest rank's. REQUIRES: not empty.
SampleSummary summary_of(std::vector<double> samples);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_BENCH_SAMPLES_H_
