// Scheduler: what decides when the tasks of streams run, and on which thread. The tasks of a queue
// run one after the other, in their order; a task that has an `after` starts when that has passed;
// nothing else is ordered.
#ifndef OPKIT_ACL_STREAMS_SCHEDULER_H_
#define OPKIT_ACL_STREAMS_SCHEDULER_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/task.h"

namespace opkit::acl {

class OPKIT_ACL_SHARED Scheduler {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: any time

  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Tells whether what is submitted runs on the thread that submits, before submit() returns; it
  // may wait there.
  virtual bool waits_in_submit() const { return false; }

  void submit(const std::shared_ptr<TaskQueue>& queue, Task task);
  // All of them at once: nobody else's task comes between two of one queue.
  using Batch = std::vector<std::pair<std::shared_ptr<TaskQueue>, Task>>;
  void submit(Batch batch);
  // Return when what they name has been done; false: the time is over. Tasks that are submitted
  // meanwhile do not count.
  bool wait(const std::shared_ptr<TaskQueue>& queue, Deadline deadline = {});
  bool wait(const Moment& moment, Deadline deadline = {});
  bool wait_for_all(Deadline deadline = {});
  // A task that no scheduler runs has been done: a callback of the host.
  void pass(Moment& moment);
  // What has not begun never does, and counts as done; waits for what has.
  void discard(const std::shared_ptr<TaskQueue>& queue);
  // Returns when nothing runs and nothing can: what is left waits for the host.
  void drain();
  // Discards for all queues, for good; how many tasks there were.
  size_t close();

  size_t unfinished();
  bool idle(const std::shared_ptr<TaskQueue>& queue);
  uint64_t discards(const TaskQueue& queue);  // calls of discard() for it
  TaskFailure failure(const TaskQueue& queue);
  void forget_failure(TaskQueue& queue);
  // Whether the work of queues that have a failure is left out, but for callbacks.
  void stop_on_failure(bool stop) { stop_on_failure_ = stop; }
  bool stops_on_failure() const { return stop_on_failure_; }
  // Called when a program asks whether work is done (aclrtQueryEventStatus), which it may repeat
  // until it is: lets the work go on.
  void asked();
  // Returns how often somebody waited for tasks, asked for them, or was called back by one: what a
  // program does between two equal answers cannot be ordered behind a task.
  uint64_t looks() const { return looks_; }
  // Tasks below oldest() have been done, tasks to come have newest() or more.
  uint64_t oldest();
  uint64_t newest();
  // Returns a number for work that is no task.
  uint64_t take_number();

 protected:
  using Guard = std::unique_lock<std::mutex>;
  // Says whether a wait is over. With the lock held.
  using Reached = std::function<bool()>;

  Scheduler() = default;
  struct Added {
    bool works;       // it does something
    bool calls_back;  // Task::calls_back
    uint64_t end;     // TaskQueue::done when it has been done
  };
  // A task came to the end of the queue.
  virtual void added(Guard& guard, TaskQueue& queue, const Added& task) = 0;
  // Waits until reached(); `wanted` is the queue that it waits for, or nullptr: not known.
  virtual bool wait_until(Guard& guard, const Reached& reached, TaskQueue* wanted,
                          const Deadline& deadline) = 0;
  // Queues may be ready that were not.
  virtual void freed(Guard&) {}
  virtual void on_asked(Guard&) {}

  static bool ready(const TaskQueue& queue);
  // Runs the queue's first task, without the lock. REQUIRES: ready(queue).
  void run_first(Guard& guard, TaskQueue& queue);
  Guard lock() { return Guard(mutex_); }
  // Sleeps until something has been done or may be; false: the time is over.
  bool sleep(Guard& guard, const Deadline& deadline);
  const std::vector<std::shared_ptr<TaskQueue>>& busy() const { return busy_; }

 private:
  void finish_first(TaskQueue& queue, TaskFailure failure);
  void leave(TaskQueue& queue);
  static void start_patience(TaskQueue& queue);
  bool skips(const TaskQueue& queue) const;
  Added push(const std::shared_ptr<TaskQueue>& queue, Task task);
  void append(TaskQueue& queue, Task task);

  std::mutex mutex_;
  std::condition_variable changed_;
  int sleepers_ = 0;
  uint64_t next_number_ = 1;
  bool closed_ = false;
  std::atomic<bool> stop_on_failure_{false};
  std::atomic<uint64_t> looks_{0};
  std::vector<std::shared_ptr<TaskQueue>> busy_;  // queues that have tasks, in the order of coming
};

// Returns the number of the task that this thread submitted last; 0: none.
uint64_t last_number_here();
// Returns the number that the system gives the thread.
uint32_t system_thread_id();

// Each task runs inside submit(): the plainest schedule.
std::unique_ptr<Scheduler> make_immediate_scheduler();
// Queues run side by side on threads; who waits for a queue works for it.
std::unique_ptr<Scheduler> make_concurrent_scheduler();
// Returns one order that streams and events allow, drawn from the seed; the same for the same calls
// of a program with one thread. Tasks run inside calls of the program, one at a time.
std::unique_ptr<Scheduler> make_seeded_scheduler(uint64_t seed);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_SCHEDULER_H_
