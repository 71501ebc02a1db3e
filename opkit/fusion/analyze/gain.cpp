#include "opkit/fusion/analyze/gain.h"

#include <algorithm>

#include "opkit/fusion/analyze/reach.h"

namespace opkit::analyze {
namespace {

uint64_t nanoseconds(double bytes, const core::TimingRates& rates) {
  const double cycles = bytes / std::max({rates.hbm, rates.l2, 1u});
  return static_cast<uint64_t>(cycles * 1000 / std::max(rates.frequency_mhz, 1u));
}

// Returns the start of an element-wise or row-wise unit: its vector cores are started one by one.
uint64_t start_of(const compile::Candidate& unit, const core::TimingRates& rates) {
  if (unit.taker != compile::Taker::kPlugin || unit.on_aicpu()) return rates.launch_ns;
  const uint64_t cores = std::min<uint64_t>(unit.plan->tiling.block_dim, rates.vector_cores);
  return rates.launch_ns + cores * rates.launch_vector_ns;
}

// Returns the nanoseconds that a launch takes at least which moves these bytes.
uint64_t least(const NodeTraffic& traffic, const core::TimingRates& rates) {
  const uint64_t slower = std::max(traffic.read_bytes, traffic.written_bytes);
  return rates.launch_ns + nanoseconds(static_cast<double>(slower), rates);
}

}  // namespace

double Gain::saved_traffic() const {
  return now_bytes == 0 ? 0 : 1 - static_cast<double>(then_bytes) / static_cast<double>(now_bytes);
}

Gain& Gain::operator+=(const Gain& other) {
  now_ns += other.now_ns;
  then_ns += other.then_ns;
  now_bytes += other.now_bytes;
  then_bytes += other.then_bytes;
  kernels += other.kernels;
  on_host += other.on_host;
  return *this;
}

Gain Gains::of(const Chain& chain) const {
  Gain gain;
  const NodeTraffic remains = readers_.traffic_of(chain.nodes);
  uint64_t floor = least(remains, rates_), starts = 0, longest_start = 0;
  for (const size_t c : chain.units) {
    const compile::Candidate& unit = compiled_.candidates.all[c];
    const NodeTraffic traffic = readers_.traffic_of(unit.nodes);
    const bool host = unit.off_chip();
    const uint64_t time = host ? least(traffic, rates_) : unit.nanoseconds;
    gain.now_ns += time;
    gain.now_bytes += traffic.bytes();
    gain.on_host += host;
    starts += start_of(unit, rates_);
    longest_start = std::max(longest_start, start_of(unit, rates_));
    if (reach_of(compiled_.graph, unit.nodes) == Reach::kWhole) floor = std::max(floor, time);
  }
  gain.kernels = chain.units.size();
  gain.then_bytes = remains.bytes();
  const uint64_t saved = starts - longest_start +
                         nanoseconds(static_cast<double>(gain.now_bytes - gain.then_bytes), rates_);
  gain.then_ns = std::min(gain.now_ns, std::max(floor, gain.now_ns - std::min(saved, gain.now_ns)));
  return gain;
}

}  // namespace opkit::analyze
