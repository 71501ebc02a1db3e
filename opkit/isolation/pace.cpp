#include "opkit/isolation/pace.h"

#include <algorithm>

namespace opkit::isolation {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUnmeasured{10'000};
// Bytes that the slowest kernel is taken to work on in a millisecond: a hundredth of what the
// shipped ones do on a slow host.
constexpr uint64_t kPerMillisecond = 20'000, kPerMillisecondObserved = 500;
// However fast the answers were: a busy host may leave a worker waiting.
constexpr milliseconds kLeast{2'000}, kLeastAfterwards{500};
constexpr double kMargin = 100, kMarginAfterwards = 20;
// Below so many bytes a call's time does not depend on them.
constexpr uint64_t kFewBytes = 64 << 10;

milliseconds unmeasured(const Work& work) {
  switch (work.kind) {
    case Work::Kind::kLaunch:
      return kUnmeasured + milliseconds(static_cast<int64_t>(work.bytes / kPerMillisecond));
    case Work::Kind::kObserved:
    case Work::Kind::kDry:
      return kUnmeasured + milliseconds(static_cast<int64_t>(work.bytes / kPerMillisecondObserved));
    default: return kUnmeasured;
  }
}

// Tells whether an answer tells that the plugin's kernels end. Host functions answer beside a
// kernel that hangs.
bool is_launch(Work::Kind kind) {
  return kind == Work::Kind::kLaunch || kind == Work::Kind::kObserved;
}

// Others take long for reasons that no earlier one tells of: a launch without data is as long as
// its loops, whatever its tensors.
bool can_be_foreseen(Work::Kind kind) {
  return kind == Work::Kind::kHostFunction || is_launch(kind);
}

}  // namespace

milliseconds Pace::limit(const Work& work) const {
  const Slowest& slowest = slowest_[static_cast<size_t>(work.kind)];
  const milliseconds most = unmeasured(work) / (was_too_slow_ ? 10 : 1);
  if (!slowest.known) return most;
  const double expected =
      std::max(slowest.seconds, slowest.seconds_per_byte * static_cast<double>(work.bytes));
  const double seconds = expected * (was_too_slow_ ? kMarginAfterwards : kMargin);
  const auto enough = milliseconds(
      static_cast<int64_t>(1000 * std::min(seconds, std::chrono::duration<double>(most).count())));
  return std::min(most, std::max(enough, was_too_slow_ ? kLeastAfterwards : kLeast));
}

void Pace::learn(const Work& work, std::chrono::duration<double> took) {
  if (!can_be_foreseen(work.kind)) return;
  if (is_launch(work.kind)) was_too_slow_ = false;
  Slowest& slowest = slowest_[static_cast<size_t>(work.kind)];
  slowest.known = true;
  slowest.seconds = std::max(slowest.seconds, took.count());
  slowest.seconds_per_byte =
      std::max(slowest.seconds_per_byte,
               took.count() / static_cast<double>(std::max(work.bytes, kFewBytes)));
}

}  // namespace opkit::isolation
