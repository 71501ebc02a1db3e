// Which steps are computed together, and what only they use.
#include <algorithm>

#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

constexpr size_t kReaderHorizon = 512;  // steps that are looked at for a reader
constexpr size_t kMostJoined = 32;      // steps

// What joined steps touch from one place on.
struct JointSpan {
  BytePlace from;
  uint64_t bytes = 0;
  uint32_t element = 0;  // bytes; 0: spread over rows, in step with nothing else
  bool written = false;
  bool written_first = false;

  bool is_in_step_with(const JointSpan& o) const {
    return from == o.from && element == o.element && element != 0 && bytes == o.bytes;
  }
  bool meets(const JointSpan& o) const {
    return (written || o.written) && ByteSpan{from, bytes}.meets(o.from, o.bytes);
  }
};

// Steps over the same number of elements that are computed chunk by chunk, all of one chunk before
// the next.
class Joined {
 public:
  // False: it does not belong to them.
  bool take(const ProgramStep& s) {
    JointSpan own[4];
    const uint32_t count = operands(s, own);
    if (steps_ > 0 && (s.n != n_ || steps_ == kMostJoined)) return false;
    bool knows = steps_ == 0;
    for (uint32_t i = 0; i < count; ++i) {
      for (const JointSpan& other : shared_) {
        if (own[i].is_in_step_with(other)) {
          knows = true;
        } else if (own[i].meets(other)) {
          return false;
        }
      }
    }
    if (!knows) return false;  // work of its own
    n_ = s.n;
    ++steps_;
    for (uint32_t i = 0; i < count; ++i) note(own[i]);
    return true;
  }
  void clear() {
    steps_ = 0;
    shared_.clear();
  }
  const std::vector<JointSpan>& shared() const { return shared_; }

 private:
  // Sources first.
  static uint32_t operands(const ProgramStep& s, JointSpan* own) {
    uint32_t count = 0;
    const StepTouch all = touched(s);
    for (uint32_t i = 0; i < all.count; ++i) {
      const Runs& runs = all.runs[i];
      const bool spread = is_spread(s, i);
      const bool of_result = i >= s.sources;
      own[count++] = {runs.from, runs.span().bytes,
                      spread      ? 0
                      : of_result ? s.to_bytes
                                  : s.src_bytes,
                      runs.write, runs.write};
    }
    return count;
  }
  void note(const JointSpan& own) {
    for (JointSpan& other : shared_) {
      if (!own.is_in_step_with(other)) continue;
      other.written |= own.written;
      return;
    }
    shared_.push_back(own);
  }

  uint64_t n_ = 0;
  size_t steps_ = 0;
  std::vector<JointSpan> shared_;
};

// Steps first to last - 1 use scratch memory in place of UB that nobody reads behind them.
uint64_t take_scratch(BlockSteps& recording, size_t first, size_t last, const Joined& joined) {
  uint64_t used = 0;
  for (const JointSpan& shared : joined.shared()) {
    if (!shared.written_first || shared.from.in != BytePlace::In::kUb) continue;
    const uint64_t chunk = kReplayChunk * shared.element;
    if (used + chunk > kReplayScratch) break;
    const bool alone =
        std::none_of(joined.shared().begin(), joined.shared().end(), [&](const JointSpan& o) {
          return &o != &shared && ByteSpan{o.from, o.bytes}.meets(shared.from, shared.bytes);
        });
    if (!alone || !is_dead(recording, last - 1, shared.from, shared.bytes)) continue;
    const BytePlace scratch = {BytePlace::In::kScratch, 0, used};
    for (size_t i = first; i < last; ++i) {
      ProgramStep& s = recording.steps[i];
      if (s.to == shared.from) s.to = scratch;
      if (s.sources > 0 && !is_spread(s, 0) && s.a == shared.from) s.a = scratch;
      if (s.sources > 1 && !is_spread(s, 1) && s.b == shared.from) s.b = scratch;
    }
    used += chunk;
  }
  return used;
}

}  // namespace

bool is_dead(const BlockSteps& recording, size_t from, const BytePlace& place, uint64_t bytes) {
  const size_t end = std::min(recording.steps.size(), from + 1 + kReaderHorizon);
  for (size_t i = from + 1; i < end; ++i) {
    bool read = false, over = false;
    for_each_span(recording.steps[i], recording, [&](const ByteSpan& span) {
      if (!span.write) read = read || span.meets(place, bytes);
      if (span.write) over = over || span.covers(place, bytes);
    });
    if (read) return false;
    if (over) return true;
  }
  return end == recording.steps.size();
}

uint64_t join_steps(BlockSteps& recording) {
  std::vector<ProgramStep>& steps = recording.steps;
  uint64_t scratch = 0;
  Joined joined;
  for (size_t first = 0; first < steps.size();) {
    joined.clear();
    size_t last = first;
    while (last < steps.size() && steps[last].kind == Kind::kRows && joined.take(steps[last])) {
      steps[last].joins = last > first;
      ++last;
    }
    if (last > first) scratch = std::max(scratch, take_scratch(recording, first, last, joined));
    first = std::max(last, first + 1);
  }
  return scratch;
}

}  // namespace opkit::core
