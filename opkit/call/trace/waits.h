// Where the cycles of a timed launch go: waits by who waits for whom at which lines, and
// instructions by source line.
#ifndef OPKIT_CALL_TRACE_WAITS_H_
#define OPKIT_CALL_TRACE_WAITS_H_

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "opkit/core/modes/timed.h"

namespace opkit::trace {

using Places = std::function<std::string(const void* pc)>;

// All waits of one pipe at one place for what another place gives, summed over the cores.
struct WaitSum {
  uint8_t pipe = 0, waits_for = 0;  // are numbered as in core::Span
  std::string what, giver;          // "AllocTensor", "FreeTensor"
  std::string place, giver_place;   // "op_kernel/add.cpp:63"; empty: not known
  std::string queue;                // the variable that the line names: "rate_"; empty: not known
  uint64_t cycles = 0, count = 0;

  // "MTE2 waits for V in rate_.AllocTensor, op_kernel/a.cpp:63, for FreeTensor, op_kernel/a.cpp:75"
  std::string to_string() const;
};
// Most cycles first. REQUIRES: the launch was timed with spans.
std::vector<WaitSum> waits_of(const core::TimedResult& result, const Places& names);

// What one line of the kernel costs, over all cores.
struct Line {
  std::string place;
  std::array<uint64_t, core::kTimedPipes> cycles{};  // sums its instructions, by pipe
  uint64_t count = 0, bytes = 0, waiting = 0;

  uint64_t busy() const;
};
// Most cycles first. Instructions whose line is not known stand under "".
std::vector<Line> lines_of(const core::TimedResult& result, const Places& names);

// Returns what to look at first, as sentences; never empty.
std::vector<std::string> diagnosis(const core::TimedResult& result, const Places& names);

}  // namespace opkit::trace

#endif  // OPKIT_CALL_TRACE_WAITS_H_
