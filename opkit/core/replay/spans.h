// What a step touches.
#ifndef OPKIT_CORE_REPLAY_SPANS_H_
#define OPKIT_CORE_REPLAY_SPANS_H_

#include "opkit/core/replay/program.h"

namespace opkit::core {

// `rows` runs of `bytes` bytes, `pitch` apart.
struct Runs {
  BytePlace from;
  uint64_t bytes = 0;
  uint32_t rows = 1;
  int64_t pitch = 0;
  bool write = false;
  // Every byte of the runs is written, where they are.
  bool all = true;

  bool is_one() const { return rows == 1 || pitch == static_cast<int64_t>(bytes); }
  // Spans from the first byte to behind the last. REQUIRES: pitch is not negative.
  ByteSpan span() const {
    const uint64_t extent = static_cast<uint64_t>(pitch) * (rows - 1) + bytes;
    return {from, extent, write, all && is_one()};
  }
};

struct StepTouch {
  static constexpr uint32_t kMost = 4;
  Runs runs[kMost];
  uint32_t count = 0;

  void add(const Runs& r) { runs[count++] = r; }
  const Runs* begin() const { return runs; }
  const Runs* end() const { return runs + count; }
};

// Returns what a step reads, then what it writes. REQUIRES: it is neither kIssued nor kTurn, whose
// spans lie with what was issued.
StepTouch touched(const ProgramStep& step);

// Calls f(span) for everything that the step touches: first what it reads.
template <typename F>
void for_each_span(const ProgramStep& step, const std::vector<Issued>& issued, F&& f) {
  if (step.kind == ProgramStep::Kind::kIssued || step.kind == ProgramStep::Kind::kTurn) {
    for (const ByteSpan& span : issued[step.number].spans) f(span);
    return;
  }
  for (const Runs& runs : touched(step)) f(runs.span());
}

// Tells whether a source of a step over rows lies elsewhere for each row, or is one for all.
bool is_spread(const ProgramStep& step, uint32_t source);

// Tells whether it does not matter in which order the elements of a step over rows are computed.
bool has_no_order(const ProgramStep& step);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_SPANS_H_
