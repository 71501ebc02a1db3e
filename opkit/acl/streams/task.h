// Task: a piece of a stream's work. Moment: what events, blocking callbacks and waiting calls stand
// for: that a task has been done.
#ifndef OPKIT_ACL_STREAMS_TASK_H_
#define OPKIT_ACL_STREAMS_TASK_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "acl/acl.h"

namespace opkit::acl {

class Moment {
 public:
  using Time = std::chrono::steady_clock::time_point;

  bool passed() const { return passed_.load(std::memory_order_acquire); }
  // REQUIRES: passed().
  Time at() const { return at_; }

 private:
  friend class Scheduler;
  void pass(Time at) {
    at_ = at;
    passed_.store(true, std::memory_order_release);
  }
  Time at_;
  std::atomic<bool> passed_{false};
};

// What a group of captured tasks may hold: kernels and single operators.
enum class TaskKind { kOther, kKernel, kOperator };

struct Task {
  // On whichever thread runs it, without the runtime's lock. Not 0: it failed, and the thread's
  // text says why. None: the task is in the stream for its order alone.
  std::function<aclError()> work;
  std::shared_ptr<Moment> after;  // it does not start before this has passed
  // 0: any. How long it waits for `after` once it is the first of its queue; then it fails.
  std::chrono::milliseconds patience{0};
  std::shared_ptr<Moment> marks;  // passes when it has been done
  std::shared_ptr<Moment> holds;  // the queue goes on when this has passed, too
  TaskKind kind = TaskKind::kOther;
  bool calls_back = false;  // somebody of the host waits for it without asking the stream
  uint64_t number = 0;      // the scheduler's,
  uint32_t thread = 0;      // that submitted it,
  Moment::Time due{};       // when its patience ends
};

// Returns what programs call a task by its number.
inline uint32_t task_id(uint64_t number) { return static_cast<uint32_t>(number % 0xFFFFFFFF); }

struct TaskFailure {
  aclError code = ACL_SUCCESS;
  std::string text;
};

// The tasks of one stream. Everything in it is the scheduler's, under its lock.
struct TaskQueue {
  std::deque<Task> tasks;  // hold the work in order; the first is under way where `running`
  bool running = false;
  uint64_t submitted = 0, done = 0;
  uint64_t discards = 0;  // how often what it had was thrown away
  uint32_t weight = 0;    // weighs the queue where chance chooses; 0: not drawn yet
  int32_t stream = 0;     // its number; work of no stream counts as the default one's
  TaskFailure failure;    // the first one since the device was reset
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_TASK_H_
