#include <algorithm>

#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {
namespace {

// Draws the same numbers on every host: splitmix64.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}

  uint32_t below(uint32_t count) { return static_cast<uint32_t>(next() % count); }

 private:
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t state_;
};

// A third of the seeds run nothing before somebody waits, a third run much at once. Queues have
// weights that differ by up to 256, so that some seeds let one stream run far ahead.
class Seeded final : public Scheduler {
 public:
  explicit Seeded(uint64_t seed) : chance_(seed), eagerness_(chance_.below(3)) {}

 private:
  void added(Guard& guard, TaskQueue& queue, const Added& task) override {
    if (queue.weight == 0) queue.weight = 1u << (4 * chance_.below(3));
    while (task.calls_back && queue.done < task.end && step(guard)) {
    }
    for (uint32_t steps = eagerness_ == 0 ? 0 : chance_.below(3 * eagerness_); steps > 0; --steps)
      step(guard);
  }

  bool wait_until(Guard& guard, const Reached& reached, TaskQueue*,
                  const Deadline& deadline) override {
    while (!reached()) {
      if (deadline && std::chrono::steady_clock::now() >= *deadline) return false;
      if (!step(guard) && !sleep(guard, deadline)) return reached();
    }
    return true;
  }

  void on_asked(Guard& guard) override { step(guard); }

  // One task of a queue by chance; false: none is ready.
  bool step(Guard& guard) {
    uint32_t sum = 0;
    for (const auto& queue : busy()) sum += ready(*queue) ? queue->weight : 0;
    if (sum == 0) return false;
    uint32_t drawn = chance_.below(sum);
    const auto chosen = std::find_if(busy().begin(), busy().end(), [&](const auto& queue) {
      const uint32_t weight = ready(*queue) ? queue->weight : 0;
      if (drawn < weight) return true;
      drawn -= weight;
      return false;
    });
    const std::shared_ptr<TaskQueue> queue = *chosen;
    run_first(guard, *queue);
    return true;
  }

  Chance chance_;
  const uint32_t eagerness_;
};

}  // namespace

std::unique_ptr<Scheduler> make_seeded_scheduler(uint64_t seed) {
  return std::make_unique<Seeded>(seed);
}

}  // namespace opkit::acl
