#include <algorithm>
#include <thread>

#include "opkit/acl/scheduler.h"

namespace opkit::acl {
namespace {

// As many threads as queues have been busy at once, up to this.
constexpr size_t kMostThreads = 64;

class Concurrent final : public Scheduler {
 public:
  ~Concurrent() override {
    close();
    stop();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void added(Guard&, TaskQueue& queue, const Added& task) override {
    if (ready(queue) && queue.done + 1 == task.end) wake(1);
  }

  void freed(Guard&) override {
    wake(static_cast<size_t>(std::count_if(busy().begin(), busy().end(),
                                           [](const auto& queue) { return ready(*queue); })));
  }

  // A wait without a limit does the queue's work itself: no other thread has to wake up for it.
  bool wait_until(Guard& guard, const Reached& reached, TaskQueue* wanted,
                  const Deadline& deadline) override {
    while (!reached()) {
      if (!deadline && wanted && ready(*wanted)) {
        run_first(guard, *wanted);
      } else if (!sleep(guard, deadline)) {
        return reached();
      }
    }
    if (wanted && ready(*wanted)) wake(1);  // what came meanwhile
    return true;
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
        while (ready(*queue) && !stopping_) run_first(guard, *queue);
        continue;
      }
      ++idle_;
      work_.wait(guard);
      --idle_;
      if (called_ > 0) --called_;
    }
  }

  void stop() {
    const Guard guard = lock();
    stopping_ = true;
    work_.notify_all();
  }

  std::condition_variable work_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0, called_ = 0;  // threads that sleep; those of them that were told to look
  bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Scheduler> make_concurrent_scheduler() { return std::make_unique<Concurrent>(); }

}  // namespace opkit::acl
