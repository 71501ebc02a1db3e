// Gain: what a chain costs today, and what one kernel in its place would.
#ifndef OPKIT_FUSION_ANALYZE_GAIN_H_
#define OPKIT_FUSION_ANALYZE_GAIN_H_

#include "opkit/core/modes/timed.h"
#include "opkit/fusion/analyze/chain.h"

namespace opkit::analyze {

struct Gain {
  uint64_t now_ns = 0, then_ns = 0;
  uint64_t now_bytes = 0, then_bytes = 0;  // through device memory
  size_t kernels = 0;                      // that become one
  size_t on_host = 0;  // counts the kernels of them that are steps on the host today

  uint64_t saved_ns() const { return now_ns - then_ns; }
  // Returns the share of the traffic that goes, 1 for all of it.
  double saved_traffic() const;
  Gain& operator+=(const Gain& other);
};

// What chains of one compiled model are worth.
//
// Now: the modelled times of the units, and of those on the host the least that a kernel of their
// own would take. Then: without the bytes that stay on the chip, at its fastest rate, and with one
// start of cores, the longest; not below what the tensors that remain take, nor below the unit that
// is no element-wise or row-wise one.
class Gains {
 public:
  // REQUIRES: both outlive it.
  Gains(const compile::Compiled& compiled, const core::TimingRates& rates)
      : compiled_(compiled), rates_(rates), readers_(compiled.graph) {}
  Gain of(const Chain& chain) const;
  const ValueReaders& readers() const { return readers_; }

 private:
  const compile::Compiled& compiled_;
  const core::TimingRates& rates_;
  const ValueReaders readers_;
};

}  // namespace opkit::analyze

#endif  // OPKIT_FUSION_ANALYZE_GAIN_H_
