// Counters of two times, compared: what opkit gate lets through.
#ifndef OPKIT_MEASURE_GATE_REGRESSIONS_H_
#define OPKIT_MEASURE_GATE_REGRESSIONS_H_

#include <string>
#include <vector>

#include "opkit/measure/counters/counters.h"

namespace opkit::measure {

inline constexpr uint64_t kMostPercent = 5;  // that cycles or bytes may grow by

// A call whose counters are others than they were by more than that, or that only one side has.
struct Difference {
  std::string op, soc, call;
  std::string what;  // "cycles", "GM bytes", "no longer there"
  uint64_t before = 0, after = 0;
  bool worse = true;  // the gate stays shut
};

// Lists them in the order of ops, chips and calls.
std::vector<Difference> differences(const Benchmarks& before, const Benchmarks& after);
size_t calls_of(const Benchmarks& benchmarks);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_GATE_REGRESSIONS_H_
