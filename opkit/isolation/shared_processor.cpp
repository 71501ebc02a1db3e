#include "opkit/isolation/shared_processor.h"

namespace opkit::isolation {
namespace {

// How long a launch may take for which host and worker share one processor: a longer one gains less
// by it than it can lose when that processor has other work.
constexpr std::chrono::microseconds kShort{400};
// What has to wake the other processor first takes longer than this one's change of processes.
constexpr std::chrono::microseconds kAwake{50};
// Fewer bytes come quickly from the other processor, if that is awake.
constexpr uint64_t kQuickBytes = 64 << 10;

}  // namespace

bool Company::wanted() const {
  return threads == 1 && took.count() > 0 && took < kShort &&
         (idle > kAwake || bytes > kQuickBytes);
}

void SharedProcessor::enter(pid_t worker) {
  if (::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  const int here = ::sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  inside_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  if (!inside_ || here == processor_) return;
  processor_ = ::sched_setaffinity(worker, sizeof one, &one) == 0 ? here : -1;
}

void SharedProcessor::leave() {
  if (inside_) ::sched_setaffinity(0, sizeof before_, &before_);
  inside_ = false;
}

void SharedProcessor::part(pid_t worker) {
  cpu_set_t mine;
  if (processor_ >= 0 && ::sched_getaffinity(0, sizeof mine, &mine) == 0)
    ::sched_setaffinity(worker, sizeof mine, &mine);
  processor_ = -1;
}

}  // namespace opkit::isolation
