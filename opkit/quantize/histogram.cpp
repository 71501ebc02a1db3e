#include "opkit/quantize/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opkit::quantize {
namespace {

// The divergence of p from q, where both are normalized by their sums; q has something wherever p
// has.
double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double p_sum = 0, q_sum = 0, result = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    p_sum += p[i];
    q_sum += q[i];
  }
  if (p_sum == 0 || q_sum == 0) return std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    if (q[i] == 0) return std::numeric_limits<double>::infinity();
    result += p[i] / p_sum * std::log(p[i] / p_sum / (q[i] / q_sum));
  }
  return result;
}

// The first `kept` bins in so many levels: each level's sum is spread over the bins of it that are
// not empty.
std::vector<double> in_levels(const std::vector<double>& bins, size_t kept, size_t levels) {
  std::vector<double> out(kept);
  for (size_t level = 0; level < levels; ++level) {
    const size_t from = kept * level / levels, to = kept * (level + 1) / levels;
    double sum = 0;
    size_t filled = 0;
    for (size_t i = from; i < to; ++i) {
      sum += bins[i];
      filled += bins[i] > 0;
    }
    for (size_t i = from; i < to; ++i) out[i] = bins[i] > 0 ? sum / static_cast<double>(filled) : 0;
  }
  return out;
}

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
  for (size_t kept = levels; kept <= used; ++kept) {
    std::vector<double> p(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept));
    for (size_t i = kept; i < used; ++i) p[kept - 1] += all[i];
    std::vector<double> q = in_levels(all, kept, levels);
    // A bound below every value keeps nothing: all of them would become the bound.
    if (std::all_of(q.begin(), q.end(), [](double one) { return one == 0; })) continue;
    // What was moved to the bound is there for the levels, too.
    if (q[kept - 1] == 0 && p[kept - 1] > 0) q[kept - 1] = 1e-4;
    const double now = divergence(p, q);
    if (now < best) {
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
