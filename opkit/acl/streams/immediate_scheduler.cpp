#include <algorithm>

#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {
namespace {

class Immediate final : public Scheduler {
 public:
  bool waits_in_submit() const override { return true; }

 private:
  // Runs everything up to the task. One without work only holds up those behind it.
  void added(Guard& guard, TaskQueue& queue, const Added& task) override {
    if (!task.works) return on_asked(guard);
    wait_until(guard, [&] { return queue.done >= task.end; }, &queue, {});
  }

  bool wait_until(Guard& guard, const Reached& reached, TaskQueue*,
                  const Deadline& deadline) override {
    while (!reached()) {
      if (run_one(guard)) continue;
      if (!sleep(guard, deadline)) return reached();
    }
    return true;
  }

  void on_asked(Guard& guard) override {
    while (run_one(guard)) {
    }
  }

  // Runs what a callback held up.
  bool run_one(Guard& guard) {
    const auto found =
        std::find_if(busy().begin(), busy().end(), [](const auto& queue) { return ready(*queue); });
    if (found == busy().end()) return false;
    const std::shared_ptr<TaskQueue> queue = *found;
    run_first(guard, *queue);
    return true;
  }
};

}  // namespace

std::unique_ptr<Scheduler> make_immediate_scheduler() { return std::make_unique<Immediate>(); }

}  // namespace opkit::acl
