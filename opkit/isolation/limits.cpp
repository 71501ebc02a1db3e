#include "opkit/isolation/limits.h"

#include <unistd.h>

namespace opkit::isolation {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kAlways{10'000};
// Bytes that the slowest kernel is taken to work on in a millisecond: a hundredth of what the
// shipped ones do on a slow host.
constexpr uint64_t kPerMillisecond = 20'000, kPerMillisecondObserved = 500;

}  // namespace

Limits complete(Limits limits) {
  if (limits.memory == 0) {
    const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
    limits.memory = pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) / 4 * 3;
  }
  return limits;
}

milliseconds limit_of(const Limits& limits, uint64_t bytes, bool observed) {
  if (limits.time.count() > 0) return limits.time;
  const uint64_t pace = observed ? kPerMillisecondObserved : kPerMillisecond;
  return kAlways + milliseconds(static_cast<int64_t>(bytes / pace));
}

}  // namespace opkit::isolation
