// Histogram: how often a tensor's values were how large, over all samples of a calibration, in one
// pass: its reach doubles when a value lies outside, and pairs of bins become one.
#ifndef OPKIT_QUANTIZE_HISTOGRAM_H_
#define OPKIT_QUANTIZE_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opkit::quantize {

class Histogram {
 public:
  // Makes `bins` bins of magnitudes, and as many for negative values. REQUIRES: even, 2 or more.
  explicit Histogram(size_t bins) : counts_(2 * bins) {}

  void add(const std::vector<double>& values);
  // Joins what another one has counted. REQUIRES: as many bins.
  void add(const Histogram& other);

  size_t bins() const { return counts_.size() / 2; }
  double reach() const { return reach_; }  // bins divide [-reach, reach] evenly
  uint64_t total() const { return total_; }
  uint64_t zeros() const { return zeros_; }
  double lowest() const { return low_; }
  double highest() const { return high_; }
  // Returns how many values had a magnitude in each bin of [0, reach].
  std::vector<double> magnitudes() const;
  // Returns how many values lay in each bin of [-reach, reach].
  const std::vector<uint64_t>& counts() const { return counts_; }

  // Returns the bound that so much of the values' magnitudes (0 to 1) stays within; no more than
  // the largest one.
  double magnitude_within(double share) const;
  // Returns the bounds that leave out half of the rest at each end.
  std::pair<double, double> range_within(double share) const;
  // Returns the bound of magnitudes with the least Kullback-Leibler divergence between the
  // histogram, with what lies beyond moved to the bound, and the same in so many levels.
  double magnitude_of_least_divergence(size_t levels) const;
  // Returns the share of values whose magnitude is larger, by bins.
  double share_beyond(double magnitude) const;

 private:
  void widen(double value);
  void double_reach();

  std::vector<uint64_t> counts_;
  double reach_ = 0, low_ = 0, high_ = 0;
  uint64_t total_ = 0, zeros_ = 0;
};

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_HISTOGRAM_H_
