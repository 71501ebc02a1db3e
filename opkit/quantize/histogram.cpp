#include "opkit/quantize/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opkit::quantize {
namespace {

// Stands for the count of the bin at the bound where that bin is empty but values beyond the bound
// were moved into it: a divergence needs more than zero there.
constexpr double kHardlyAny = 1e-4;
// Divergences that differ by no more are equal: sums over bins are rounded.
constexpr double kSameDivergence = 1e-12;

double times_log(double x) { return x > 0 ? x * std::log(x) : 0; }

// Divergences: how far the bins p, with what lies beyond a bound moved to its bin, are from q, the
// bins within the bound in so many levels: each level's sum is spread over the bins of it that are
// not empty. Both are normalized by their sums. Sums from the first bin on make the cost of a bound
// that of its levels.
class Divergences {
 public:
  Divergences(std::vector<double> bins, size_t levels) : bins_(std::move(bins)), levels_(levels) {
    sums_.push_back(0);
    filled_.push_back(0);
    logs_.push_back(0);
    for (const double count : bins_) {
      sums_.push_back(sums_.back() + count);
      filled_.push_back(filled_.back() + (count > 0));
      logs_.push_back(logs_.back() + times_log(count));
    }
  }

  // Returns infinity where nothing lies within the bound: all values would become the bound.
  double at(size_t kept) const {
    if (sums_[kept] == 0) return std::numeric_limits<double>::infinity();
    const double all = sums_.back(), beyond = all - sums_[kept], last = bins_[kept - 1];
    const double own = logs_[kept - 1] + times_log(last + beyond);  // sum of p log p
    double cross = 0, of_last = 0;                                  // sum of p log q; log q
    for (size_t level = 0; level < levels_; ++level) {
      const size_t from = kept * level / levels_, to = kept * (level + 1) / levels_;
      const double sum = sums_[to] - sums_[from];
      if (sum == 0) continue;
      of_last = std::log(sum / static_cast<double>(filled_[to] - filled_[from]));
      cross += sum * of_last;
    }
    const bool lacks = last == 0 && beyond > 0;
    cross += beyond * (lacks ? std::log(kHardlyAny) : of_last);
    return (own - cross) / all + std::log((sums_[kept] + (lacks ? kHardlyAny : 0)) / all);
  }

 private:
  const std::vector<double> bins_;
  const size_t levels_;
  std::vector<double> sums_, logs_;  // hold sums over the first n bins
  std::vector<size_t> filled_;
};

}  // namespace

void Histogram::double_reach() {
  const size_t half = bins();
  std::vector<uint64_t> wider(counts_.size());
  for (size_t i = 0; i < half; ++i) {
    wider[half + i / 2] += counts_[half + i];
    wider[half - 1 - i / 2] += counts_[half - 1 - i];
  }
  counts_ = std::move(wider);
  reach_ *= 2;
}

// A power of two: the same for every order of the same values.
void Histogram::widen(double value) {
  const double wanted = std::abs(value);
  if (wanted == 0 || wanted <= reach_) return;
  if (reach_ == 0) {
    reach_ = std::exp2(std::ceil(std::log2(wanted)));
    if (reach_ < wanted) reach_ *= 2;
    return;
  }
  while (reach_ < wanted) double_reach();
}

void Histogram::add(const std::vector<double>& values) {
  for (const double value : values) {
    low_ = total_ == 0 ? value : std::min(low_, value);
    high_ = total_ == 0 ? value : std::max(high_, value);
    ++total_;
    if (value == 0) {
      ++zeros_;
      continue;
    }
    if (!std::isfinite(value)) continue;
    widen(value);
    const auto half = static_cast<double>(bins());
    const auto at = static_cast<size_t>(std::min(half - 1, std::abs(value) / reach_ * half));
    ++counts_[value > 0 ? bins() + at : bins() - 1 - at];
  }
}

void Histogram::add(const Histogram& other) {
  if (other.total_ == 0) return;
  low_ = total_ == 0 ? other.low_ : std::min(low_, other.low_);
  high_ = total_ == 0 ? other.high_ : std::max(high_, other.high_);
  total_ += other.total_;
  zeros_ += other.zeros_;
  if (other.reach_ == 0) return;
  Histogram same = other;
  if (reach_ == 0) reach_ = same.reach_;
  while (reach_ < same.reach_) double_reach();
  while (same.reach_ < reach_) same.double_reach();
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += same.counts_[i];
}

std::vector<double> Histogram::magnitudes() const {
  const size_t half = bins();
  std::vector<double> all(half);
  for (size_t i = 0; i < half; ++i)
    all[i] = static_cast<double>(counts_[half + i] + counts_[half - 1 - i]);
  all[0] += static_cast<double>(zeros_);
  return all;
}

double Histogram::magnitude_within(double share) const {
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (reach_ == 0 || share >= 1) return largest;
  const std::vector<double> all = magnitudes();
  const double wanted = share * static_cast<double>(total_),
               width = reach_ / static_cast<double>(bins());
  double sum = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    sum += all[i];
    if (sum >= wanted) return std::min(largest, static_cast<double>(i + 1) * width);
  }
  return largest;
}

std::pair<double, double> Histogram::range_within(double share) const {
  if (reach_ == 0 || share >= 1) return {low_, high_};
  const double left_out = (1 - share) / 2 * static_cast<double>(total_);
  const double width = reach_ / static_cast<double>(bins());
  double below = 0, low = low_, high = high_;
  for (size_t i = 0; i < counts_.size(); ++i) {
    below += static_cast<double>(counts_[i]) + (i == bins() ? static_cast<double>(zeros_) : 0);
    if (below <= left_out) continue;
    low = std::max(low_, -reach_ + static_cast<double>(i) * width);
    break;
  }
  double above = 0;
  for (size_t i = counts_.size(); i-- > 0;) {
    above += static_cast<double>(counts_[i]) + (i == bins() ? static_cast<double>(zeros_) : 0);
    if (above <= left_out) continue;
    high = std::min(high_, -reach_ + static_cast<double>(i + 1) * width);
    break;
  }
  return {low, high};
}

double Histogram::magnitude_of_least_divergence(size_t levels) const {
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (reach_ == 0 || bins() <= levels) return largest;
  std::vector<double> all = magnitudes();
  all[0] =
      all.size() > 1 ? all[1] : 0;  // zeros are exact in any scale, and would outweigh the rest
  const double width = reach_ / static_cast<double>(bins());
  const auto used = std::min(all.size(), static_cast<size_t>(std::ceil(largest / width)));
  double best = std::numeric_limits<double>::infinity(), bound = largest;
  all.resize(used);
  const Divergences divergences(std::move(all), levels);
  for (size_t kept = levels; kept <= used; ++kept) {
    const double now = divergences.at(kept);
    if (now < best - kSameDivergence) {
      best = now;
      bound = std::min(largest, static_cast<double>(kept) * width);
    }
  }
  return bound;
}

double Histogram::share_beyond(double magnitude) const {
  if (total_ == 0 || reach_ == 0) return 0;
  const double width = reach_ / static_cast<double>(bins());
  const std::vector<double> all = magnitudes();
  double sum = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (static_cast<double>(i) * width >= magnitude) sum += all[i];
  }
  return sum / static_cast<double>(total_);
}

}  // namespace opkit::quantize
