#include <algorithm>
#include <thread>

#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {
namespace {

// As many threads as queues have been busy at once, up to this.
constexpr size_t kMostThreads = 64;

// While the program submits, one idle thread looks after work by itself, now and then: submit()
// need not wake anybody, and the thread that waits finds small work untaken. The naps grow while
// others are faster; after so many in which nothing was submitted the thread sleeps.
constexpr std::chrono::microseconds kShortNap{20}, kLongNap{160};
constexpr int kQuietNaps = 16;

class Concurrent final : public Scheduler {
 public:
  ~Concurrent() override {
    close();
    stop();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void added(Guard&, TaskQueue& queue, const Added& task) override {
    ++submitted_;
    if (!ready(queue) || queue.done + 1 != task.end) return;
    if (!watched_ || any_running()) wake(1);
  }

  void freed(Guard&) override { wake(count_ready()); }

  // A wait without a limit does the queue's work itself: no other thread has to wake up for it.
  bool wait_until(Guard& guard, const Reached& reached, TaskQueue* wanted,
                  const Deadline& deadline) override {
    while (!reached()) {
      if (!deadline && wanted && ready(*wanted)) {
        if (busy().size() > 1) wake(count_ready() - 1);
        run_first(guard, *wanted);
      } else {
        wake(count_ready());
        if (!sleep(guard, deadline)) return reached();
      }
    }
    if (wanted && ready(*wanted)) wake(1);  // what came meanwhile
    return true;
  }

  size_t count_ready() const {
    return static_cast<size_t>(std::count_if(busy().begin(), busy().end(),
                                             [](const auto& queue) { return ready(*queue); }));
  }

  // The program lets streams work while it does something else.
  bool any_running() const {
    return std::any_of(busy().begin(), busy().end(),
                       [](const auto& queue) { return queue->running; });
  }

  // Lets `queues` threads look for work.
  void wake(size_t queues) {
    for (; queues > 0; --queues) {
      if (called_ < idle_) {
        ++called_;
        work_.notify_one();
      } else if (threads_.size() < std::min(kMostThreads, busy().size())) {
        threads_.emplace_back([this] { serve(); });
      }
    }
  }

  std::shared_ptr<TaskQueue> any_ready() const {
    const auto found =
        std::find_if(busy().begin(), busy().end(), [](const auto& queue) { return ready(*queue); });
    return found == busy().end() ? nullptr : *found;
  }

  void serve() {
    Guard guard = lock();
    while (!stopping_) {
      if (const std::shared_ptr<TaskQueue> queue = any_ready()) {
        wake(count_ready() - 1);
        while (ready(*queue) && !stopping_) run_first(guard, *queue);
      } else if (watched_ || !watch(guard)) {
        idle([&] { work_.wait(guard); });
      }
    }
  }

  // Waits until there is work; false: the program has been quiet.
  bool watch(Guard& guard) {
    watched_ = true;
    std::chrono::microseconds nap = kShortNap;
    uint64_t seen = submitted_;
    for (int quiet = 0; quiet < kQuietNaps && !stopping_ && !any_ready(); ++quiet) {
      idle([&] { work_.wait_for(guard, nap); });
      if (seen != submitted_) quiet = 0;
      seen = submitted_;
      nap = std::min(2 * nap, kLongNap);
    }
    watched_ = false;
    return stopping_ || any_ready();
  }

  template <typename Sleep>
  void idle(Sleep sleep) {
    ++idle_;
    sleep();
    --idle_;
    if (called_ > 0) --called_;
  }

  void stop() {
    const Guard guard = lock();
    stopping_ = true;
    work_.notify_all();
  }

  std::condition_variable work_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0, called_ = 0;  // threads that sleep; those of them that were told to look
  bool watched_ = false;          // one of them looks by itself
  uint64_t submitted_ = 0;
  bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Scheduler> make_concurrent_scheduler() { return std::make_unique<Concurrent>(); }

}  // namespace opkit::acl
